// Package config reads the configuration file: contexts, which are clusters with how to reach and judge them,
// and the manners of the screen. [Load] finds and reads the file, [File] is what it says, and [Error] is what
// is wrong in it and where. Secrets are never in the file, only where they are to be found.
package config
