-- Version 3 of the desk. Released: never changed, only followed by another step.

-- Pictures that go with what is being typed, each under its writer's own id.
CREATE TABLE draft_pictures (
    session TEXT NOT NULL,
    id TEXT NOT NULL,
    -- By which the words name it, and in this order.
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    -- Its bytes, as base64.
    data TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT;
