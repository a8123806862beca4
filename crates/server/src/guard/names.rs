//! The names of the server: which `Host` a request may name, and which pages are ours.

use std::collections::BTreeSet;

/// The names of a server, all with their port.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    hosts: BTreeSet<String>,
    origins: BTreeSet<String>,
}

impl Names {
    /// Of a server on `port` that speaks `scheme`, and has further names.
    pub(crate) fn new(scheme: &str, port: u16, further: &[String], listen: std::net::IpAddr) -> Names {
        let mut names = Names::default();
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            names.add(scheme, &format!("{host}:{port}"));
        }
        if !listen.is_unspecified() && !listen.is_loopback() {
            let host = if listen.is_ipv6() { format!("[{listen}]") } else { listen.to_string() };
            names.add(scheme, &format!("{host}:{port}"));
        }
        for host in further {
            let host = host.to_ascii_lowercase();
            // The port of a proxy is not ours, and may be the one that nobody writes.
            names.add(scheme, &host);
            names.add("https", &host);
            if !has_port(&host) {
                names.add(scheme, &format!("{host}:{port}"));
            }
        }
        names
    }

    /// May a request name this host?
    pub(crate) fn knows(&self, host: &str) -> bool {
        self.hosts.contains(&host.to_ascii_lowercase())
    }

    /// Is a page from there ours?
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        self.origins.contains(&origin.to_ascii_lowercase())
    }

    fn add(&mut self, scheme: &str, host: &str) {
        let usual = if scheme == "https" { ":443" } else { ":80" };
        // Browsers leave the usual port out.
        for host in [Some(host), host.strip_suffix(usual)].into_iter().flatten() {
            self.hosts.insert(host.to_owned());
            self.origins.insert(format!("{scheme}://{host}"));
        }
    }
}

/// Does the name of a host say which port?
pub(crate) fn has_port(host: &str) -> bool {
    host.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loopback() -> std::net::IpAddr {
        "127.0.0.1".parse().unwrap()
    }

    #[test]
    fn only_names_of_ours_are_known() {
        let names = Names::new("http", 4180, &["Deck.example".to_owned()], loopback());
        let known =
            ["localhost:4180", "LOCALHOST:4180", "127.0.0.1:4180", "[::1]:4180", "deck.example", "deck.example:4180"];
        assert_eq!(known.map(|host| names.knows(host)), [true; 6]);
        let unknown = [
            "localhost",
            "localhost:80",
            "127.0.0.2:4180",
            "evil.test",
            "evil.test:4180",
            "localhost:4180.evil.test",
            "",
        ];
        assert_eq!(unknown.map(|host| names.knows(host)), [false; 7]);
    }

    #[test]
    fn only_pages_of_ours_are_ours() {
        let names = Names::new("http", 80, &["deck.example".to_owned()], loopback());
        let ours = ["http://localhost", "http://localhost:80", "https://deck.example"];
        assert_eq!(ours.map(|origin| names.is_origin(origin)), [true; 3]);
        let others = ["null", "https://localhost", "http://evil.test", "http://localhost:8080", "file://"];
        assert_eq!(others.map(|origin| names.is_origin(origin)), [false; 5]);
    }
}
