-- What digests did not read of pages, and what they did not take of a model's items. No text.
CREATE TABLE refused (
    key INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (key),
    page INTEGER REFERENCES page (key) ON DELETE CASCADE, -- of a model's item its first source; NULL: it named none
    side TEXT NOT NULL,                 -- user, assistant; model: an item that it returned
    reason TEXT NOT NULL,
    characters INTEGER NOT NULL
) STRICT;
CREATE INDEX refused_by_scope ON refused (scope, side, reason);
CREATE INDEX refused_by_page ON refused (page);
