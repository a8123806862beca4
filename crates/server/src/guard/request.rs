//! What a request says of itself: the name it calls us by, the page and the address it comes from, and whom it claims to be.
//! Everything here is read with distrust, and nothing is decided.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, header};

use super::names::Names;
use crate::config::Config;
use crate::listen::Peer;

/// Whose page a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Ours,
    Foreign,
    /// It says nothing: no page, or an address that somebody typed.
    Unsaid,
}

/// The name that a request calls the server by; none, if it has none, or two that differ.
pub(super) fn host(request: &Request) -> Option<&str> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else { return None };
    let host = host.to_str().ok()?;
    // A target can have a name of its own, and then that is the one which counts.
    let fits = request.uri().authority().is_none_or(|target| target.as_str().eq_ignore_ascii_case(host));
    fits.then_some(host)
}

/// Whose page it comes from. A header that stands there twice has to be right both times.
pub(super) fn page(names: &Names, headers: &HeaderMap) -> Page {
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    let all = |name: HeaderName, fits: &dyn Fn(&str) -> bool| {
        let fit = headers.get_all(name).iter().map(|value| value.to_str().is_ok_and(fits));
        fit.reduce(|one, other| one && other)
    };
    if let Some(fits) = all(header::ORIGIN, &|origin| names.is_origin(origin)) {
        return if fits { Page::Ours } else { Page::Foreign };
    }
    match (all(SITE, &|site| site == "same-origin"), all(SITE, &|site| site == "none")) {
        (None, _) | (_, Some(true)) => Page::Unsaid,
        (Some(true), _) => Page::Ours,
        (Some(false), _) => Page::Foreign,
    }
}

/// The address of the other side of the connection.
pub(super) fn peer(request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<Peer>>().map(|info| info.0.0.ip().to_canonical());
    peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// The address that a request came from, as far as it can be believed.
pub(super) fn client_address(config: &Config, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !config.trusts(peer) {
        return peer;
    }
    // Each proxy adds the address that it saw at the end, which may be that of another one. The first that is no proxy of ours is
    // the client; what stands before it is the client's own word.
    let forwarded = headers.get_all("x-forwarded-for").iter().rev();
    let mut client = peer;
    for address in forwarded.flat_map(|list| list.to_str().unwrap_or_default().rsplit(',')) {
        let Ok(address) = address.trim().parse() else { break };
        client = address;
        if !config.trusts(client) {
            break;
        }
    }
    client
}

/// The bearer token.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The values of all cookies of this name: another program on the same host may have set one, too.
pub(super) fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(known, _)| *known == name).map(|(_, value)| value)
}

/// A parameter of a query whose value needs no decoding.
pub(super) fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').filter_map(|pair| pair.split_once('=')).find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Is the body said to be JSON?
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (types.next(), types.next()) else { return false };
    let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn request(target: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    #[test]
    fn two_names_that_differ_are_none() {
        let named = |target: &str, headers: &[(&str, &str)]| host(&request(target, headers)).map(str::to_owned);
        assert_eq!(named("/x", &[("host", "deck:1")]).as_deref(), Some("deck:1"));
        assert_eq!(named("http://DECK:1/x", &[("host", "deck:1")]).as_deref(), Some("deck:1"));
        assert_eq!(named("http://evil.test/x", &[("host", "deck:1")]), None);
        assert_eq!(named("/x", &[("host", "deck:1"), ("host", "deck:1")]), None);
        assert_eq!(named("http://deck:1/x", &[]), None);
    }

    #[test]
    fn a_page_is_ours_only_if_all_says_so() {
        let names = Names::new("http", 1, &[], IpAddr::V4(Ipv4Addr::LOCALHOST));
        let of = |headers: &[(&str, &str)]| page(&names, request("/", headers).headers());
        let ours = ("origin", "http://localhost:1");
        assert_eq!(of(&[]), Page::Unsaid);
        assert_eq!(of(&[("sec-fetch-site", "none")]), Page::Unsaid);
        assert_eq!(of(&[ours]), Page::Ours);
        assert_eq!(of(&[("sec-fetch-site", "same-origin")]), Page::Ours);
        for foreign in ["null", "", "http://evil.test", "http://localhost:2", "http://localhost:1, http://evil.test"] {
            assert_eq!(of(&[("origin", foreign)]), Page::Foreign, "{foreign}");
            assert_eq!(of(&[ours, ("origin", foreign)]), Page::Foreign, "{foreign}");
        }
        for foreign in ["cross-site", "same-site", "", "none, same-origin"] {
            assert_eq!(of(&[("sec-fetch-site", foreign)]), Page::Foreign, "{foreign}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_speaks_for_others() {
        let config = Config { trusted_proxies: vec!["10.0.0.1".parse().unwrap()], ..Config::default() };
        let from = |peer: &str, forwarded: &[(&str, &str)]| {
            client_address(&config, peer.parse().unwrap(), request("/", forwarded).headers()).to_string()
        };
        let forwarded = [("x-forwarded-for", "1.1.1.1, 2.2.2.2")];
        assert_eq!(from("10.0.0.1", &forwarded), "2.2.2.2", "what stands before is the client's own word");
        assert_eq!(from("10.0.0.2", &forwarded), "10.0.0.2");
        assert_eq!(from("10.0.0.1", &[("x-forwarded-for", "nonsense")]), "10.0.0.1");
        let twice = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "3.3.3.3")];
        assert_eq!(from("10.0.0.1", &twice), "3.3.3.3");
    }

    #[test]
    fn a_proxy_before_a_proxy_is_not_taken_for_the_client() {
        let proxies = ["10.0.0.1", "10.0.0.2"].map(|proxy| proxy.parse().unwrap());
        let config = Config { trusted_proxies: proxies.to_vec(), ..Config::default() };
        let from = |forwarded: &[&str]| {
            let headers: Vec<_> = forwarded.iter().map(|list| ("x-forwarded-for", *list)).collect();
            client_address(&config, "10.0.0.1".parse().unwrap(), request("/", &headers).headers()).to_string()
        };
        assert_eq!(from(&["1.1.1.1, 2.2.2.2, 10.0.0.2"]), "2.2.2.2");
        assert_eq!(from(&["1.1.1.1, 2.2.2.2", "10.0.0.2,10.0.0.1"]), "2.2.2.2", "in two headers");
        assert_eq!(from(&["10.0.0.2, 1.1.1.1"]), "1.1.1.1", "it was no proxy that said so");
        assert_eq!(from(&["nonsense, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(from(&["10.0.0.2"]), "10.0.0.2", "it asks itself");
    }

    #[test]
    fn a_cookie_has_exactly_the_name() {
        let request = request("/", &[("cookie", "a=1; xquarterdeck=2;quarterdeck=3"), ("cookie", "quarterdeck=4")]);
        assert_eq!(cookies(request.headers(), "quarterdeck").collect::<Vec<_>>(), ["3", "4"]);
    }
}
