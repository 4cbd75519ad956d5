-- Agent sessions in ClickHouse: the table for `leafpress archive --documents`, and the queries of docs/scale.md.
-- Tried with ClickHouse 26.9. It needs a version with the text index.

CREATE TABLE IF NOT EXISTS entries (
    schema UInt8,
    id String,
    session String,
    entry String,
    agent LowCardinality(String),
    project LowCardinality(String),
    cwd String,
    gitBranch LowCardinality(String),
    title String,
    models Array(LowCardinality(String)),
    started Nullable(DateTime64(3, 'UTC')),
    time Nullable(DateTime64(3, 'UTC')),
    role LowCardinality(String),
    kind LowCardinality(String),
    tools Array(LowCardinality(String)),
    failed Bool,
    stopped Bool,
    landmarks Array(LowCardinality(String)),
    label String,
    text String,
    page String,
    -- For Chinese, Japanese or Korean: tokenizer = ngrams(2).
    INDEX words text TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lower(text))
)
-- Loading a session again replaces its entries.
ENGINE = ReplacingMergeTree
ORDER BY (project, session, id);

-- query: where
-- Where was that? Sessions with all of these words in one entry, with the best entry of each and its page.
SELECT session, any(title) AS title, count() AS entries, argMin(page, (role != 'prompt', time)) AS page
FROM entries FINAL
WHERE hasAllTokens(text, {words:String})
GROUP BY session
ORDER BY max(time) DESC, session;

-- query: prompts
-- What was asked in a project since a day?
SELECT time, session, substring(text, 1, 200) AS prompt, page
FROM entries FINAL
WHERE project = {project:String} AND role = 'prompt' AND time >= toDateTime({since:String}, 'UTC')
ORDER BY time DESC;

-- query: failures
-- Which tools fail, and how often?
SELECT project, tool, count() AS failures, uniq(session) AS sessions
FROM entries FINAL
ARRAY JOIN tools AS tool
WHERE failed
GROUP BY project, tool
ORDER BY failures DESC, project, tool;

-- query: landmarks
-- The commits, pushes and test runs of each session.
SELECT session, any(title) AS title, landmark, count() AS times, argMax(page, time) AS last
FROM entries FINAL
ARRAY JOIN landmarks AS landmark
GROUP BY session, landmark
ORDER BY max(time) DESC, session, landmark;

-- query: months
-- Sessions and prompts of each project by month.
SELECT project, toStartOfMonth(time) AS month, uniq(session) AS sessions, countIf(role = 'prompt') AS prompts
FROM entries FINAL
WHERE time IS NOT NULL
GROUP BY project, month
ORDER BY month DESC, project;

-- rights
-- Who may read which project. Needs a server whose users may be granted rights.
-- CREATE ROLE pottery;
-- GRANT SELECT ON entries TO pottery;
-- CREATE ROW POLICY pottery ON entries FOR SELECT USING project = 'pottery' TO pottery;
-- GRANT pottery TO ana;
