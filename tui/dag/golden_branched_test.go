package dag

// branchedPictures are of graphs with several forks and joins, or with edges that run back.
const branchedPictures = `
-- nested forks --
s a b c d e f g
s a b e f
a c e
s d f g
-- right --
╭───╮     ╭───╮     ╭───╮
│ s │──┬─▶│ a │──┬─▶│ b │──┐
╰───╯  │  ╰───╯  │  ╰───╯  │
       │         │         │
       │         │  ╭───╮  │  ╭───╮     ╭───╮    ╭───╮
       │         └─▶│ c │──┴─▶│ e │──┬─▶│ f │───▶│ g │
       │            ╰───╯     ╰───╯  │  ╰───╯    ╰───╯
       │  ╭───╮                      │
       └─▶│ d │──────────────────────┘
          ╰───╯
-- down --
╭───╮
│ s │
╰───╯
  │
  ├────────────┐
  ▼            ▼
╭───╮        ╭───╮
│ a │        │ d │
╰───╯        ╰───╯
  │            │
  ├───────┐    │
  ▼       ▼    │
╭───╮   ╭───╮  │
│ b │   │ c │  │
╰───╯   ╰───╯  │
  │       │    │
  └───────┤    │
          ▼    │
        ╭───╮  │
        │ e │  │
        ╰───╯  │
          │    │
          ├────┘
          ▼
        ╭───╮
        │ f │
        ╰───╯
          │
          ▼
        ╭───╮
        │ g │
        ╰───╯
-- list --
  s
├▶ a
│├▶ b
│└▶ c
│▼ e
└▶ d
▼ f
▼ g
-- every source to every sink --
a1 a2 b1 b2
a1 b1
a1 b2
a2 b1
a2 b2
-- right --
╭────╮         ╭────╮
│ a1 │──┬─┬───▶│ b1 │
╰────╯  └─│─┐  ╰────╯
          ▲ │
╭────╮    │ │  ╭────╮
│ a2 │────┴─┴─▶│ b2 │
╰────╯         ╰────╯
-- down --
╭────╮   ╭────╮
│ a1 │   │ a2 │
╰────╯   ╰────╯
  │        │
  ├┐       │
  ││       │
  ├│◀──────┤
  ││       │
  │└───────┤
  ▼        ▼
╭────╮   ╭────╮
│ b1 │   │ b2 │
╰────╯   ╰────╯
-- list --
  a1
  a2
▼ b1
▼ b2
-- three to three --
a1 a2 a3 b1 b2 b3
a1 b1
a1 b2
a1 b3
a2 b1
a2 b2
a2 b3
a3 b2
-- right --
╭────╮           ╭────╮
│ a1 │──┬─┬─────▶│ b1 │
╰────╯  └─│─┐    ╰────╯
          ▲ │
╭────╮    │ │    ╭────╮
│ a2 │────┼─│─┬─▶│ b3 │
╰────╯    │ ├─┘  ╰────╯
          │ │
╭────╮    ▼ ▼    ╭────╮
│ a3 │────┴─┴───▶│ b2 │
╰────╯           ╰────╯
-- down --
╭────╮   ╭────╮   ╭────╮
│ a1 │   │ a2 │   │ a3 │
╰────╯   ╰────╯   ╰────╯
  │        │        │
  ├┐       │        │
  ││       │        │
  ├│◀──────┼───────▶┤
  │└───────│┬──────▶┤
  │        ├┘       │
  ▼        ▼        ▼
╭────╮   ╭────╮   ╭────╮
│ b1 │   │ b3 │   │ b2 │
╰────╯   ╰────╯   ╰────╯
-- list --
  a1
  a2
▼ b1
▼ b3
  a3
▼ b2
-- cycle --
source body tail sink
source body tail sink
tail body
-- right --
╭────────╮     ╭──────╮    ╭──────╮     ╭──────╮
│ source │──┬─▶│ body │───▶│ tail │──┬─▶│ sink │
╰────────╯  │  ╰──────╯    ╰──────╯  │  ╰──────╯
            │                        │
            └────────────◀───────────┘
-- down --
╭────────╮
│ source │
╰────────╯
    │
    ├───────┐
    ▼       │
 ╭──────╮   │
 │ body │   │
 ╰──────╯   │
    │       │
    ▼       ▲
 ╭──────╮   │
 │ tail │   │
 ╰──────╯   │
    │       │
    ├───────┘
    ▼
 ╭──────╮
 │ sink │
 ╰──────╯
-- list --
  source
▼ body
▼ tail
▼ sink
-- edge to itself --
a b
a b b
-- right --
╭───╮     ╭───╮
│ a │──┬─▶│ b │──┐
╰───╯  │  ╰───╯  │
       │         │
       └────◀────┘
-- down --
╭───╮
│ a │
╰───╯
  │
  ├────┐
  ▼    │
╭───╮  │
│ b │  ▲
╰───╯  │
  │    │
  └────┘
-- list --
  a
▼ b
-- all in a circle --
a b c
a b c a
-- right --
   ╭───╮    ╭───╮    ╭───╮
┌─▶│ a │───▶│ b │───▶│ c │──┐
│  ╰───╯    ╰───╯    ╰───╯  │
│                           │
└─────────────◀─────────────┘
-- down --
  ┌────┐
  ▼    │
╭───╮  │
│ a │  │
╰───╯  │
  │    │
  ▼    │
╭───╮  │
│ b │  ▲
╰───╯  │
  │    │
  ▼    │
╭───╮  │
│ c │  │
╰───╯  │
  │    │
  └────┘
-- list --
  a
▼ b
▼ c
-- twelve nodes --
Source:orders Source:clicks parse parse2 filter keyBy-window join enrich aggregate dedupe
Source:orders parse filter keyBy-window aggregate Sink:kafka
Source:clicks parse2 join enrich dedupe aggregate Sink:iceberg
parse join
dedupe Sink:iceberg
-- right --
╭───────────────╮    ╭───────╮      ╭────────╮    ╭──────────────╮                                       ╭────────────╮
│ Source:orders │───▶│ parse │───┬─▶│ filter │───▶│ keyBy-window │──────────────────┐  ╭───────────╮  ┌─▶│ Sink:kafka │
╰───────────────╯    ╰───────╯   │  ╰────────╯    ╰──────────────╯                ┌─┴─▶│ aggregate │──┤  ╰────────────╯
                                 │                                                │    ╰───────────╯  │
╭───────────────╮    ╭────────╮  ▼  ╭──────╮      ╭────────╮          ╭────────╮  │                   ▼  ╭──────────────╮
│ Source:clicks │───▶│ parse2 │──┴─▶│ join │─────▶│ enrich │─────────▶│ dedupe │──┴───────────────────┴─▶│ Sink:iceberg │
╰───────────────╯    ╰────────╯     ╰──────╯      ╰────────╯          ╰────────╯                         ╰──────────────╯
-- down --
╭───────────────╮   ╭───────────────╮
│ Source:orders │   │ Source:clicks │
╰───────────────╯   ╰───────────────╯
        │                   │
        ▼                   ▼
    ╭───────╮           ╭────────╮
    │ parse │           │ parse2 │
    ╰───────╯           ╰────────╯
        │                   │
        ├───────────────┐   │
        │               ├───┘
        ▼               ▼
    ╭────────╮       ╭──────╮
    │ filter │       │ join │
    ╰────────╯       ╰──────╯
        │               │
        ▼               ▼
 ╭──────────────╮   ╭────────╮
 │ keyBy-window │   │ enrich │
 ╰──────────────╯   ╰────────╯
        │               │
        │               ▼
        │           ╭────────╮
        │           │ dedupe │
        │           ╰────────╯
        │               │
        │        ┌──────┴─┐
        └────────┤        │
                 ▼        │
           ╭───────────╮  │
           │ aggregate │  │
           ╰───────────╯  │
                 │        │
        ┌────────┴───────▶┤
        ▼                 ▼
  ╭────────────╮   ╭──────────────╮
  │ Sink:kafka │   │ Sink:iceberg │
  ╰────────────╯   ╰──────────────╯
-- list --
  Source:orders
▼ parse
└▶ filter
 ▼ keyBy-window
  Source:clicks
▼ parse2
▼ join
▼ enrich
▼ dedupe
▼ aggregate
└▶ Sink:kafka
▼ Sink:iceberg
`
