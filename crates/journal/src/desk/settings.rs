//! How the user wants to work: keys, presets, budgets, and the folders in which agents may work.

use std::collections::BTreeMap;

use insights::UnixMillis;
use rusqlite::{Connection, ToSql, params, types::FromSql};

use super::open::Desk;
use crate::error::Result;

impl Desk {
    /// The keys that the user has chosen, by action.
    pub fn keybindings(&mut self) -> Result<BTreeMap<String, String>> {
        self.run("read", |connection| pairs(connection, "SELECT action, keys FROM keybindings"))
    }

    /// Sets the keys for an action.
    pub fn set_keybinding(&mut self, action: &str, keys: &str) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO keybindings (action, keys) VALUES (?1, ?2)";
        self.write(sql, &[&action, &keys])
    }

    /// Gives an action back the keys that it has by itself.
    pub fn reset_keybinding(&mut self, action: &str) -> Result<()> {
        self.write("DELETE FROM keybindings WHERE action = ?1", &[&action])
    }

    /// The ways to start a session that the user has put by, by name; each is JSON, whose form is the server's.
    pub fn presets(&mut self) -> Result<BTreeMap<String, String>> {
        self.run("read", |connection| pairs(connection, "SELECT name, options FROM presets"))
    }

    /// Puts a preset by, new or in place of the one with its name.
    pub fn set_preset(&mut self, name: &str, options: &str) -> Result<()> {
        self.write("INSERT OR REPLACE INTO presets (name, options) VALUES (?1, ?2)", &[&name, &options])
    }

    /// Removes a preset.
    pub fn remove_preset(&mut self, name: &str) -> Result<()> {
        self.write("DELETE FROM presets WHERE name = ?1", &[&name])
    }

    /// What may be spent, in dollars, by the name of what it is for.
    pub fn budgets(&mut self) -> Result<BTreeMap<String, f64>> {
        self.run("read", |connection| pairs(connection, "SELECT name, usd FROM budgets"))
    }

    /// Sets a budget.
    pub fn set_budget(&mut self, name: &str, usd: f64) -> Result<()> {
        self.write("INSERT OR REPLACE INTO budgets (name, usd) VALUES (?1, ?2)", &[&name, &usd])
    }

    /// Removes a budget.
    pub fn remove_budget(&mut self, name: &str) -> Result<()> {
        self.write("DELETE FROM budgets WHERE name = ?1", &[&name])
    }

    /// The folders in which the user lets agents work.
    pub fn roots(&mut self) -> Result<Vec<String>> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached("SELECT path FROM roots ORDER BY path")?;
            statement.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Lets agents work in a folder.
    pub fn allow_root(&mut self, path: &str, now: UnixMillis) -> Result<()> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO roots (path, allowed_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            connection.execute(sql, params![path, now.0]).map(drop)
        })
    }

    /// Does not let them any more.
    pub fn forbid_root(&mut self, path: &str) -> Result<()> {
        self.write("DELETE FROM roots WHERE path = ?1", &[&path])
    }

    pub(super) fn write(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<()> {
        self.run("write to", |connection| connection.execute(sql, values).map(drop))
    }
}

fn pairs<T: FromSql>(connection: &Connection, sql: &str) -> rusqlite::Result<BTreeMap<String, T>> {
    connection.prepare_cached(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
