//! `quarterdeck token`: who may come in without a browser.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use journal::{Data, Desk, Device};
use server::secrets::{Purpose, new_token};
use server::{Secrets, TokenChange, audit_token};

use super::sessions::ago;
use crate::args::{Token, TokenCommand};

/// Runs the command.
pub(crate) fn run(token: &Token) -> Result<ExitCode> {
    let data = Data::open(token.data.path()?)?;
    let mut desk = Desk::open(&data)?;
    match &token.command {
        TokenCommand::Add { name } => add(&data, &mut desk, name)?,
        TokenCommand::List { json } => list(&mut desk, *json)?,
        TokenCommand::Revoke { id } => revoke(&data, &mut desk, id)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn add(data: &Data, desk: &mut Desk, name: &str) -> Result<()> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        bail!("`{}` is no name for a token", name.escape_debug());
    }
    if desk.devices()?.iter().any(|device| device.name == name) {
        bail!("there is a token or a device called `{name}` already: revoke it first, or take another name");
    }
    let token = new_token().context("no random numbers are to be had")?;
    let digest = Secrets::open(data.path())?.digest(Purpose::Bearer, &token);
    let device =
        Device { id: uuid::Uuid::new_v4().to_string(), name: name.to_owned(), added_at: keeper::now(), seen_at: None };
    desk.add_device(&device, &digest)?;
    // Of a token that is not written down nobody gets to know.
    let added = TokenChange::Added { id: &device.id, name };
    audit_token(data, device.added_at, added).context("the token could not be written down, and is not shown")?;
    writeln!(std::io::stderr(), "this token is shown once; `quarterdeck token revoke` makes it void:")?;
    Ok(writeln!(std::io::stdout(), "{token}")?)
}

fn list(desk: &mut Desk, json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let devices = desk.devices()?;
    for device in &devices {
        if json {
            let line = serde_json::json!({
                "id": device.id, "name": device.name, "addedAt": device.added_at, "seenAt": device.seen_at,
            });
            writeln!(out, "{line}")?;
            continue;
        }
        let seen = device.seen_at.map_or_else(|| "never".to_owned(), |at| ago(at, keeper::now()));
        let short = device.id.get(..8).unwrap_or(&device.id);
        writeln!(out, "{short}  {:<28} {seen}", super::run::clean(&device.name))?;
    }
    if devices.is_empty() && !json {
        writeln!(
            std::io::stderr(),
            "nobody may come in yet: `quarterdeck serve` lets browsers in, `token add` scripts"
        )?;
    }
    Ok(())
}

fn revoke(data: &Data, desk: &mut Desk, id: &str) -> Result<()> {
    let devices = desk.devices()?;
    let is_meant = |device: &&Device| !id.is_empty() && (device.id.starts_with(id) || device.name == id);
    let meant: Vec<&Device> = devices.iter().filter(is_meant).collect();
    match &meant[..] {
        [device] => {
            desk.remove_device(&device.id)?;
            audit_token(data, keeper::now(), TokenChange::Revoked { id: &device.id })
                .context("it is revoked, but that could not be written down")?;
            Ok(writeln!(std::io::stderr(), "revoked {} ({})", device.name, device.id)?)
        }
        [] => bail!("there is no token or device `{id}`: `quarterdeck token list` shows those that there are"),
        several => bail!("`{id}` is the beginning of {}: give more of the id", several.len()),
    }
}
