package dag

// simplePictures are of graphs with at most one fork and one join.
const simplePictures = `
-- single node --
only
-- right --
╭──────╮
│ only │
╰──────╯
-- down --
╭──────╮
│ only │
╰──────╯
-- list --
  only
-- chain --
source parse map sink
source parse map sink
-- right --
╭────────╮    ╭───────╮    ╭─────╮    ╭──────╮
│ source │───▶│ parse │───▶│ map │───▶│ sink │
╰────────╯    ╰───────╯    ╰─────╯    ╰──────╯
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ▼
╭───────╮
│ parse │
╰───────╯
    │
    ▼
 ╭─────╮
 │ map │
 ╰─────╯
    │
    ▼
 ╭──────╮
 │ sink │
 ╰──────╯
-- list --
  source
▼ parse
▼ map
▼ sink
-- two components --
a b c d e
a b
c d e
-- right --
╭───╮    ╭───╮
│ a │───▶│ b │
╰───╯    ╰───╯

╭───╮    ╭───╮    ╭───╮
│ c │───▶│ d │───▶│ e │
╰───╯    ╰───╯    ╰───╯
-- down --
╭───╮   ╭───╮
│ a │   │ c │
╰───╯   ╰───╯
  │       │
  ▼       ▼
╭───╮   ╭───╮
│ b │   │ d │
╰───╯   ╰───╯
          │
          ▼
        ╭───╮
        │ e │
        ╰───╯
-- list --
  a
▼ b
  c
▼ d
▼ e
-- double edge --
source join sink
source join sink
source join
-- right --
╭────────╮    ╭──────╮    ╭──────╮
│ source │───▶│ join │───▶│ sink │
╰────────╯    ╰──────╯    ╰──────╯
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ▼
 ╭──────╮
 │ join │
 ╰──────╯
    │
    ▼
 ╭──────╮
 │ sink │
 ╰──────╯
-- list --
  source
▼ join
▼ sink
-- fork --
source left right
source left
source right
-- right --
╭────────╮     ╭──────╮
│ source │──┬─▶│ left │
╰────────╯  │  ╰──────╯
            │
            │  ╭───────╮
            └─▶│ right │
               ╰───────╯
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ├───────────┐
    ▼           ▼
 ╭──────╮   ╭───────╮
 │ left │   │ right │
 ╰──────╯   ╰───────╯
-- list --
  source
├▶ left
└▶ right
-- join --
orders clicks join
orders join
clicks join
-- right --
╭────────╮     ╭──────╮
│ orders │──┬─▶│ join │
╰────────╯  │  ╰──────╯
            │
╭────────╮  │
│ clicks │──┘
╰────────╯
-- down --
╭────────╮   ╭────────╮
│ orders │   │ clicks │
╰────────╯   ╰────────╯
    │            │
    ├────────────┘
    ▼
 ╭──────╮
 │ join │
 ╰──────╯
-- list --
  orders
  clicks
▼ join
-- diamond --
source left right join
source left join
source right join
-- right --
╭────────╮     ╭──────╮      ╭──────╮
│ source │──┬─▶│ left │───┬─▶│ join │
╰────────╯  │  ╰──────╯   │  ╰──────╯
            │             │
            │  ╭───────╮  │
            └─▶│ right │──┘
               ╰───────╯
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ├───────────┐
    ▼           ▼
 ╭──────╮   ╭───────╮
 │ left │   │ right │
 ╰──────╯   ╰───────╯
    │           │
    ├───────────┘
    ▼
 ╭──────╮
 │ join │
 ╰──────╯
-- list --
  source
├▶ left
└▶ right
▼ join
-- long skip edge --
source map filter sink
source map filter sink
source sink
-- right --
╭────────╮     ╭─────╮    ╭────────╮     ╭──────╮
│ source │──┬─▶│ map │───▶│ filter │──┬─▶│ sink │
╰────────╯  │  ╰─────╯    ╰────────╯  │  ╰──────╯
            │                         │
            └─────────────────────────┘
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ├───────┐
    ▼       │
 ╭─────╮    │
 │ map │    │
 ╰─────╯    │
    │       │
    ▼       │
╭────────╮  │
│ filter │  │
╰────────╯  │
    │       │
    ├───────┘
    ▼
 ╭──────╮
 │ sink │
 ╰──────╯
-- list --
  source
└▶ map
 ▼ filter
▼ sink
-- short branch --
source parse map dim lookup join
source parse map join
dim lookup join
-- right --
╭────────╮    ╭───────╮    ╭─────╮        ╭──────╮
│ source │───▶│ parse │───▶│ map │─────┬─▶│ join │
╰────────╯    ╰───────╯    ╰─────╯     │  ╰──────╯
                                       │
              ╭─────╮      ╭────────╮  │
              │ dim │─────▶│ lookup │──┘
              ╰─────╯      ╰────────╯
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ▼
╭───────╮   ╭─────╮
│ parse │   │ dim │
╰───────╯   ╰─────╯
    │          │
    ▼          ▼
 ╭─────╮   ╭────────╮
 │ map │   │ lookup │
 ╰─────╯   ╰────────╯
    │          │
    ├──────────┘
    ▼
 ╭──────╮
 │ join │
 ╰──────╯
-- list --
  source
▼ parse
▼ map
  dim
▼ lookup
▼ join
`
