"""The words synthetic histories are made of."""

VERBS = ("Add", "Fix", "Remove", "Speed up", "Refactor", "Test", "Document", "Support", "Allow", "Avoid", "Handle",
         "Update", "Rename", "Simplify", "Enable", "Disable", "Move", "Clean up", "Make", "Guard")  # fmt: skip
NOUNS = ("kernel", "cache", "parser", "index", "queue", "tensor", "buffer", "stream", "session", "token", "schema",
         "planner", "worker", "lock", "page", "table", "client", "server", "header", "payload", "router", "metric",
         "builder", "reader", "writer", "cursor", "filter", "bucket", "shard", "replica")  # fmt: skip
AREAS = ("core", "storage", "network", "frontend", "backend", "docs", "tests", "build", "tools", "python", "api",
         "runtime", "compiler", "scheduler", "security", "examples")  # fmt: skip
ENDINGS = ("py", "cpp", "h", "rs", "md", "go", "ts", "toml", "cu", "java")
_PROSE = (
    "a about after again all allows an and another any as at back batch because before between block both branch but "
    "by call callers can case change check code column commit copy correct crash cuda data deadlock default device "
    "does done each empty error every fail faster field first flag for from full function given handle has have here "
    "holds if in input instead into is it key large last leak less limit line list load log longer lower many memory "
    "merge message missing more most must name needs never new no node not now null number of off old on once one "
    "only open option or order other out output over overflow part path per point read records remote request result "
    "retry return right row run same second set shape should side simple since size slow small so some start state "
    "step still stop store such table takes task than that the their then there these this thread time to token two "
    "type under unit until update upper use user value variable wait was way were what when where which while will "
    "with without word work write wrong zero"
)
WORDS = tuple(_PROSE.split())

FIRST_NAMES = ("Ada", "Grace", "Linus", "Barbara", "Ken", "Margaret", "Dennis", "Frances", "Edsger", "Radia", "Tim",
               "Hedy", "Alan", "Joan", "Donald", "Karen", "Guido", "Sophie", "Niklaus", "Anita", "John", "Mary",
               "Bjarne")  # fmt: skip
LAST_NAMES = ("Lovelace", "Hopper", "Torvalds", "Liskov", "Thompson", "Hamilton", "Ritchie", "Allen", "Dijkstra",
              "Perlman", "Berners", "Lamarr", "Turing", "Clarke", "Knuth", "Jones", "Rossum", "Wilson", "Wirth",
              "Borg", "Backus", "Keller", "Stroustrup", "Easley", "Hoare", "Bartik", "Kay", "Goldberg", "Pike",
              "Holberton")  # fmt: skip
