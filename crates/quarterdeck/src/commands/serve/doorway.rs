//! The way into a browser: a launch link in, a private page out that leads there, opened with the user's own program. The link is
//! not handed to that program itself: a command line can be read by every user of the machine, and the first who comes is let in.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use journal::{Data, Folder};

/// A page that leads to a launch link. It is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct Doorway {
    path: PathBuf,
}

impl Doorway {
    /// Writes the page, where nobody else can read it.
    pub(super) fn make(data: &Data, url: &str) -> io::Result<Doorway> {
        // The folder of the sockets: nobody else can enter it, and what is left there ends with the machine's session.
        let path = keeper::socket_path(&Folder::new(data.path()))?.with_extension("html");
        // One that a server left which was killed: its link is void.
        let _ = std::fs::remove_file(&path);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let doorway = Doorway { path };
        file.write_all(page(url).as_bytes())?;
        Ok(doorway)
    }

    /// Opens a browser with it. If that fails, the address was printed.
    pub(super) fn open(&self, url: &str) {
        let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut browser = own_program(program);
        match is_shut_in() {
            true => browser.arg(url),
            false => browser.arg(&self.path),
        };
        let _ = browser.stdout(Stdio::null()).spawn();
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Doorway {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Is the browser one that cannot read the page? One that came as a snap reads no file outside of the home, so it has to be given
/// the link itself, as a person would. Snaps are told by the names that they give their programs, as in `firefox_firefox.desktop`.
fn is_shut_in() -> bool {
    let asked = own_program("xdg-settings").args(["get", "default-web-browser"]).output();
    asked.is_ok_and(|browser| browser.status.success() && browser.stdout.contains(&b'_'))
}

#[expect(clippy::disallowed_methods, reason = "the browser is the user's own program and no part of a session")]
fn own_program(program: &str) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// It needs no script, which a browser may not run in a file.
fn page(url: &str) -> String {
    let url = escaped(url);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta http-equiv=\"refresh\" content=\"0; url={url}\">\n\
         <title>Quarterdeck</title>\n</head>\n<body>\n\
         <p>Quarterdeck opens. If it does not, <a href=\"{url}\">log in here</a>.</p>\n</body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stays_in_its_place_on_the_page() {
        let page = page("http://deck/a'\"><script>&b#token");
        let inner = "http://deck/a&#39;&quot;&gt;&lt;script&gt;&amp;b#token";
        assert_eq!(page.matches(inner).count(), 2, "{page}");
        assert!(!page.contains("<script"), "{page}");
    }
}
