//! How a server is started: where it listens, under which names, and who stands between it and the world.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use crate::guard::has_port;

/// The port that is taken if nobody wishes another.
pub const PORT: u16 = 4180;

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens. Of loopback, IPv4 and IPv6 both.
    pub listen: IpAddr,
    /// The port.
    pub port: Port,
    /// The path that all paths begin with, behind a proxy: empty, or `/deck`.
    pub base_path: String,
    /// The names under which it is reached besides those of loopback: `deck.example`, `deck.example:8443`.
    pub hosts: Vec<String>,
    /// Certificate and key, if it speaks TLS itself.
    pub tls: Option<Tls>,
    /// The proxies whose word on the client's address is believed. With one of them, TLS is the proxy's business.
    pub trusted_proxies: Vec<IpAddr>,
    /// The folders that agents may work in, besides those that the user confirmed.
    pub roots: Vec<PathBuf>,
}

/// Which port is listened on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// This one, or none; 0 is any.
    Exactly(u16),
    /// This one or, if it is taken, one of the next.
    From(u16),
}

/// The files for TLS, both PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// The certificate, and those that vouch for it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why a server is not started so.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// It would be seen by others without TLS.
    #[error(
        "`{0}` can be reached by others, who could read along: give it a certificate (`--tls-cert`, `--tls-key`), or the \
         address of the proxy that has one (`--trusted-proxy`)"
    )]
    Open(IpAddr),
    /// The base path is none.
    #[error(
        "`{0}` is no base path: it begins with `/`, does not end with one, and has only letters, digits, `-`, `_`, `.`"
    )]
    BasePath(String),
    /// A name of a host is none.
    #[error("`{0}` is no name of a host: give `name` or `name:port`, without `http://`")]
    Host(String),
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: Port::From(PORT),
            base_path: String::new(),
            hosts: Vec::new(),
            tls: None,
            trusted_proxies: Vec::new(),
            roots: Vec::new(),
        }
    }
}

impl Config {
    /// Is it safe to start so?
    pub fn check(&self) -> Result<(), ConfigError> {
        let hidden = self.listen.is_loopback() || self.tls.is_some() || !self.trusted_proxies.is_empty();
        if !hidden {
            return Err(ConfigError::Open(self.listen));
        }
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
        let base = &self.base_path;
        let is_path = base.starts_with('/') && !base.ends_with('/') && !base.contains("//") && base.chars().all(plain);
        if !base.is_empty() && !is_path {
            return Err(ConfigError::BasePath(base.clone()));
        }
        let is_host = |host: &&String| {
            !host.is_empty() && host.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.:[]".contains(letter))
        };
        match self.hosts.iter().find(|host| !is_host(host)) {
            Some(host) => Err(ConfigError::Host(host.clone())),
            None => Ok(()),
        }
    }

    /// Is this the address of a proxy whose word is believed?
    pub(crate) fn trusts(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|proxy| proxy.to_canonical() == peer.to_canonical())
    }

    /// May somebody at this address speak to the server itself? Without TLS, nobody but its proxies and this machine: what
    /// others say could be read along.
    pub(crate) fn hears(&self, peer: IpAddr) -> bool {
        self.tls.is_some() || peer.to_canonical().is_loopback() || self.trusts(peer)
    }

    /// The addresses to listen on, with this port.
    pub(crate) fn addresses(&self, port: u16) -> Vec<SocketAddr> {
        let first = SocketAddr::new(self.listen, port);
        if self.listen == IpAddr::V4(Ipv4Addr::LOCALHOST) {
            return vec![first, SocketAddr::new(IpAddr::V6(std::net::Ipv6Addr::LOCALHOST), port)];
        }
        vec![first]
    }

    /// Where a browser finds a server on this port: by its first name, which a certificate is for and a proxy answers to; without
    /// one, by its address.
    pub(crate) fn url(&self, port: u16) -> String {
        let is_proxied = !self.trusted_proxies.is_empty() && self.tls.is_none();
        let origin = match (self.hosts.first(), self.listen) {
            // Which port a proxy has, only its user can tell.
            (Some(host), _) if is_proxied => format!("https://{host}"),
            (Some(host), _) if has_port(host) => format!("{}://{host}", self.scheme()),
            (Some(host), _) => format!("{}://{host}:{port}", self.scheme()),
            (None, address) if address.is_loopback() || address.is_unspecified() => {
                format!("{}://127.0.0.1:{port}", self.scheme())
            }
            (None, address) => format!("{}://{}", self.scheme(), SocketAddr::new(address, port)),
        };
        format!("{origin}{}/", self.base_path)
    }

    /// `http` or `https`, as a browser on this machine sees it.
    pub(crate) fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_let_near_only_with_tls_or_a_proxy() {
        let everywhere = Config { listen: "0.0.0.0".parse().unwrap(), ..Config::default() };
        assert_eq!(Config::default().check(), Ok(()));
        assert_eq!(everywhere.check(), Err(ConfigError::Open("0.0.0.0".parse().unwrap())));
        let proxied = Config { trusted_proxies: vec!["10.0.0.1".parse().unwrap()], ..everywhere.clone() };
        assert_eq!(proxied.check(), Ok(()));
        let tls = Tls { certificate: "c".into(), key: "k".into() };
        assert_eq!(Config { tls: Some(tls), ..everywhere }.check(), Ok(()));
    }

    #[test]
    fn the_address_that_is_printed_is_one_that_a_browser_can_use() {
        let config = |listen: &str, hosts: &[&str]| Config {
            listen: listen.parse().unwrap(),
            hosts: hosts.iter().map(ToString::to_string).collect(),
            ..Config::default()
        };
        let tls = |config| Config { tls: Some(Tls { certificate: "c".into(), key: "k".into() }), ..config };
        let proxied = |config| Config { trusted_proxies: vec!["10.0.0.1".parse().unwrap()], ..config };
        let under = |base: &str, config| Config { base_path: base.to_owned(), ..config };
        let cases = [
            (config("127.0.0.1", &[]), "http://127.0.0.1:4180/"),
            (config("127.0.0.1", &["deck.test"]), "http://deck.test:4180/"),
            (tls(config("0.0.0.0", &[])), "https://127.0.0.1:4180/"),
            (tls(config("::1", &[])), "https://127.0.0.1:4180/"),
            (tls(config("2001:db8::1", &[])), "https://[2001:db8::1]:4180/"),
            (tls(config("0.0.0.0", &["deck.test", "other.test"])), "https://deck.test:4180/"),
            (tls(config("0.0.0.0", &["deck.test:443"])), "https://deck.test:443/"),
            (proxied(config("192.168.0.2", &["deck.test"])), "https://deck.test/"),
            (under("/deck", proxied(config("127.0.0.1", &["deck.test:8443"]))), "https://deck.test:8443/deck/"),
        ];
        for (config, url) in cases {
            assert_eq!(config.url(4180), url);
            // And a request that names the host so is heard.
            let names = crate::guard::Names::new(config.scheme(), 4180, &config.hosts, config.listen);
            let host = url.split('/').nth(2).unwrap();
            assert!(names.knows(host), "{host}");
        }
    }

    #[test]
    fn without_tls_only_the_proxy_and_this_machine_are_heard() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let proxied = Config { trusted_proxies: vec![address("10.0.0.1")], ..Config::default() };
        let heard = ["10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1", "::1", "10.0.0.2", "::ffff:10.0.0.2", "2001:db8::1"];
        assert_eq!(heard.map(|peer| proxied.hears(address(peer))), [true, true, true, true, false, false, false]);
        let tls = Some(Tls { certificate: "c".into(), key: "k".into() });
        assert!(Config { tls, ..Config::default() }.hears(address("10.0.0.2")));
    }

    #[test]
    fn paths_and_names_are_what_they_say() {
        let with = |base: &str| Config { base_path: base.to_owned(), ..Config::default() }.check().is_ok();
        assert_eq!(
            ["", "/deck", "/a/b", "deck", "/deck/", "/", "/a b", "//a"].map(with),
            [true, true, true, false, false, false, false, false]
        );
        let named = |host: &str| Config { hosts: vec![host.to_owned()], ..Config::default() }.check().is_ok();
        assert_eq!(["deck.example", "deck:1", "http://deck", "", "a/b"].map(named), [true, true, false, false, false]);
    }
}
