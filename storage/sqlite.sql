-- The tables of a new database on SQLite. An older one becomes the same by the steps of storage/migrations.py, and
-- postgres.sql has the same tables; tests/storage/test_schema.py holds both.
--
-- People and paths are kept once and referred to by number, SHAs as bytes: a path or an address repeats thousands of
-- times in a history.
-- BIGINT is what may take 64 bits: to SQLite it is as INTEGER.

-- As sqlite-utils makes it, which writes the steps of older databases into it.
CREATE TABLE "_sqlite_migrations" ("id" INTEGER PRIMARY KEY, "migration_set" TEXT, "name" TEXT, "applied_at" TEXT);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name" ON "_sqlite_migrations" ("migration_set", "name");

CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  location TEXT NOT NULL,     -- never holds credentials
  web TEXT,
  tip TEXT,                   -- all that is reachable from here is stored
  indexed_at TEXT,            -- when `tip` was last found to be current
  shallow INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  commits INTEGER NOT NULL DEFAULT 0,   -- how many are stored
  changes INTEGER NOT NULL DEFAULT 0,   -- how often commits were added or removed
  arrived TEXT,                         -- up to which tip it is known what topic merges brought
  audience TEXT,                        -- JSON: who may read of it in Slack; NULL: no almanac.toml said so
  token TEXT NOT NULL DEFAULT '',       -- who writes it, and until when that is taken to be so, in Unix seconds
  token_until BIGINT NOT NULL DEFAULT 0,
  kept_out INTEGER NOT NULL DEFAULT 0,  -- how many commits of the branch are not stored, of those who are forgotten
  unlisted INTEGER NOT NULL DEFAULT 0,  -- 1: the almanac.toml that was read last lists repositories, and not this one
  areas TEXT);                          -- JSON: their headings, by the folders; NULL: not yet read to its end

CREATE TABLE identities (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,         -- exactly as written in the commit
  address TEXT NOT NULL,
  commits INTEGER NOT NULL DEFAULT 0,   -- how many of the stored ones they are the author of
  UNIQUE (name, address));

CREATE TABLE commits (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  sha BLOB NOT NULL,
  parents BLOB NOT NULL,      -- SHAs, one after the other; two or more make a merge
  author_id INTEGER NOT NULL REFERENCES identities (id),
  authored_at BIGINT NOT NULL,   -- Unix seconds; git allows any 64-bit value
  author_offset BIGINT NOT NULL, -- minutes east of UTC as recorded, sense or nonsense
  committer_id INTEGER NOT NULL REFERENCES identities (id),
  committed_at BIGINT NOT NULL,
  committer_offset BIGINT NOT NULL,
  counted INTEGER NOT NULL,   -- 0 while the lines of its files are not known
  subject TEXT NOT NULL,
  body BLOB NOT NULL,         -- packed by storage/commit_rows.py; text, until 0.2.0
  came_at BIGINT NOT NULL DEFAULT 0,   -- when it came to the default branch, in Unix seconds
  via BLOB);                  -- the SHA of the topic merge that brought it
CREATE UNIQUE INDEX commits_by_sha ON commits (repository_id, sha);
CREATE INDEX commits_to_count ON commits (repository_id, committed_at) WHERE counted = 0;
-- Each answers by itself when, and of whom or where; see storage/commits.py.
CREATE INDEX commits_by_author ON commits (author_id, authored_at, repository_id);
CREATE INDEX commits_by_time ON commits (repository_id, authored_at, author_id);
CREATE INDEX commits_by_came ON commits (repository_id, came_at, author_id);
CREATE INDEX commits_by_author_came ON commits (author_id, came_at, repository_id);

CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);

-- Of subjects and bodies, under the commit's number; see storage/search.py.
CREATE VIRTUAL TABLE commit_words USING fts5 (
  text, content='', detail='none', columnsize=0, tokenize='porter unicode61 remove_diacritics 2');

CREATE TABLE commit_references (
  key BIGINT NOT NULL,       -- a hash of what is named; see storage/commit_rows.py
  role INTEGER NOT NULL,      -- 0: the commit owns it; 1: it points to what does; 2: author and title
  commit_id INTEGER NOT NULL, -- no foreign key, which would want an index: storage/commit_rows.py removes them
  PRIMARY KEY (key, role, commit_id)) WITHOUT ROWID;

CREATE TABLE credited (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,         -- exactly as written; may be a login
  address TEXT NOT NULL,      -- empty where none was written
  UNIQUE (name, address));
CREATE INDEX credited_by_lower_name ON credited (lower(name));
CREATE INDEX credited_by_lower_address ON credited (lower(address)) WHERE address <> '';

CREATE TABLE credits (
  credited_id INTEGER NOT NULL REFERENCES credited (id),
  authored_at BIGINT NOT NULL,   -- the commit's
  commit_id INTEGER NOT NULL,
  role INTEGER NOT NULL,      -- a place in storage.commit_rows.ROLES
  PRIMARY KEY (credited_id, authored_at, commit_id, role)) WITHOUT ROWID;

CREATE TABLE mailmaps (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  text TEXT NOT NULL,         -- .mailmap of the newest commit; empty: it has none
  changes INTEGER NOT NULL DEFAULT 1);  -- how often it has been another one

CREATE TABLE tags (
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  name TEXT NOT NULL,         -- without refs/tags/
  object BLOB NOT NULL,       -- the SHA that git keeps under the name: a commit's, or a tag object's
  sha BLOB,                   -- the commit that it names; NULL where it names none
  at BIGINT NOT NULL,        -- Unix seconds: of the tag object, else of the commit
  PRIMARY KEY (repository_id, name)) WITHOUT ROWID;

CREATE TABLE model_cache (
  key TEXT PRIMARY KEY,       -- a hash of all that it was written from; see bot/story/llm
  written_at TEXT NOT NULL,
  text TEXT NOT NULL) WITHOUT ROWID;  -- JSON: what was taken of the answer, never what was sent

CREATE TABLE commit_files (
  commit_id INTEGER PRIMARY KEY REFERENCES commits (id) ON DELETE CASCADE,
  files BLOB NOT NULL);       -- of commits that have any, packed by storage/commit_rows.py

-- An id is given once, also after its row is gone or the database is copied: what still refers to it finds nothing.
CREATE TABLE ids (name TEXT PRIMARY KEY, last BIGINT NOT NULL) WITHOUT ROWID;

-- Rows are never changed but for being undone, and only erasure empties them.
CREATE TABLE said (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,         -- address, slack, hide, change: see bot.model.Said
  action TEXT NOT NULL,
  about TEXT NOT NULL,        -- empty: it was said of somebody who is erased
  value TEXT NOT NULL,
  confirmed INTEGER NOT NULL, -- 1: by an admin or at the command line, so that it proves whose an address is
  by TEXT NOT NULL,
  at TEXT NOT NULL,
  undone_by TEXT,
  undone_at TEXT);

-- Of those who are erased nothing is left but this, by which an index knows them again.
CREATE TABLE erasure_blocklist (hash TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE slack_users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,         -- as others see it
  address TEXT NOT NULL,      -- empty where Slack does not say
  zone TEXT NOT NULL,
  standing TEXT NOT NULL,     -- member, guest, stranger
  deleted INTEGER NOT NULL,
  seen_at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE processed_events (event TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE pending_events (
  event TEXT PRIMARY KEY,     -- Slack's id of the event
  body TEXT NOT NULL,         -- JSON: what Slack delivered, and how often it was begun anew
  at TEXT NOT NULL,
  leased_until TEXT) WITHOUT ROWID;  -- until when the process that answers it is taken to live; NULL: nobody does

CREATE TABLE conversations (
  channel TEXT NOT NULL,
  thread TEXT NOT NULL,       -- ts of the thread's root
  context TEXT NOT NULL,      -- JSON: person, from, to, repos
  changed_at TEXT NOT NULL,
  PRIMARY KEY (channel, thread)) WITHOUT ROWID;

CREATE TABLE outbox (
  key TEXT PRIMARY KEY,       -- what the post is, e.g. digest|T1|#shipped||2025-10|root
  channel TEXT NOT NULL,
  thread_key TEXT,            -- the outbox key of the message this one answers
  thread_ts TEXT,
  payload TEXT NOT NULL,      -- JSON: text and blocks, as they are sent
  state TEXT NOT NULL,        -- planned, sending, sent, failed, unknown, skipped
  attempts INTEGER NOT NULL DEFAULT 0,
  ts TEXT,                    -- Slack's id of the message, once sent
  error TEXT,
  planned_at TEXT NOT NULL,
  tried_at TEXT,              -- when it was first sent
  changed_at TEXT NOT NULL,
  searches INTEGER NOT NULL DEFAULT 0,  -- how often it was not found in Slack; -1: it cannot be
  only_for TEXT,              -- who alone sees it
  not_before TEXT,            -- when Slack may take it
  asked_by TEXT) WITHOUT ROWID;  -- who is told where it cannot be posted
CREATE INDEX outbox_by_state ON outbox (state, changed_at);

CREATE TABLE digests (
  key TEXT NOT NULL,          -- where and of whom: channel|team
  cadence TEXT NOT NULL,      -- weekly, monthly, quarterly
  origin TEXT NOT NULL,       -- toml, slack
  wanted TEXT NOT NULL,       -- JSON: what a [[digests]] table of almanac.toml holds
  since TEXT NOT NULL,
  first TEXT NOT NULL,        -- the first period that is posted, e.g. 2025-10; empty until somebody has said so
  owner TEXT NOT NULL,        -- Slack's id of who made it; empty where that is nobody
  paused_at TEXT,
  paused_why TEXT NOT NULL DEFAULT '',
  told_at TEXT,               -- when its owner was told of the pause
  changed_at TEXT NOT NULL,
  removed_at TEXT,
  wanted_at TEXT,             -- when it was last known to be in an almanac.toml
  PRIMARY KEY (key, cadence)) WITHOUT ROWID;

-- What each posted digest is of, so that it need not be read from its key.
CREATE TABLE digest_posts (
  post TEXT PRIMARY KEY,      -- the outbox key of the digest's first message
  wanted TEXT NOT NULL,       -- JSON: what a [[digests]] table of almanac.toml holds
  period TEXT NOT NULL,       -- e.g. 2025-10
  is_whole INTEGER NOT NULL) WITHOUT ROWID;   -- whether the period was over

-- What the readers of a posted digest know: its changes, and what happened to them.
CREATE TABLE digest_snapshots (
  post TEXT NOT NULL,         -- the outbox key of the digest's first message
  change TEXT NOT NULL,       -- Change.id
  event TEXT NOT NULL,        -- the SHA of what reverted it, or brought it back; empty: the change itself
  at TEXT NOT NULL,
  PRIMARY KEY (post, change, event)) WITHOUT ROWID;
CREATE INDEX digest_snapshots_by_change ON digest_snapshots (change);
