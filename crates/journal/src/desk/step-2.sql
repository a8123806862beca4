-- Version 2 of the desk. Released: never changed, only followed by another step.

-- Prompts that wait in the host until the agent's turn has ended, each as the line that will go to the agent.
CREATE TABLE held (
    session TEXT NOT NULL,
    -- The sender's own id: the keeper takes it once.
    id TEXT NOT NULL,
    place INTEGER NOT NULL,
    line TEXT NOT NULL,
    sent_by TEXT,
    held_at INTEGER NOT NULL,
    PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;

-- Up to this record the user wants held prompts to be delivered, whatever went wrong before.
ALTER TABLE sessions ADD COLUMN go_on_seq INTEGER NOT NULL DEFAULT 0;
