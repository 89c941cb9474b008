-- Questions name times: "what did I do last week?"
CREATE INDEX memory_by_time ON memory (scope, kind, at);
