//! How often somebody may fail to log in: twice a minute and twelve times an hour from one address. Pure; the time is told.

use std::collections::HashMap;
use std::net::IpAddr;

use insights::UnixMillis;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const PER_MINUTE: usize = 2;
const PER_HOUR: usize = 12;

/// From how many addresses failures are remembered. Beyond that nobody new can log in until an hour has passed for one.
const ADDRESSES: usize = 10_000;

/// The failures of the last hour.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    failures: HashMap<IpAddr, Vec<i64>>,
}

impl Attempts {
    /// May somebody from there try?
    pub(crate) fn may_try(&mut self, from: IpAddr, now: UnixMillis) -> bool {
        self.forget(now);
        match self.failures.get(&network(from)) {
            Some(times) => {
                let of_minute = times.iter().filter(|time| now.0 - **time < MINUTE_MS).count();
                of_minute < PER_MINUTE && times.len() < PER_HOUR
            }
            None => self.failures.len() < ADDRESSES,
        }
    }

    /// Somebody from there failed.
    pub(crate) fn failed(&mut self, from: IpAddr, now: UnixMillis) {
        self.failures.entry(network(from)).or_default().push(now.0);
    }

    fn forget(&mut self, now: UnixMillis) {
        // A clock that was set back leaves failures in the future; they count from now on.
        self.failures.values_mut().for_each(|times| {
            times.iter_mut().for_each(|time| *time = (*time).min(now.0));
            times.retain(|time| now.0 - time < HOUR_MS);
        });
        self.failures.retain(|_, times| !times.is_empty());
    }
}

/// Of IPv6 everybody has a whole network of addresses.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => IpAddr::V4(address),
            None => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_failures_a_minute_and_twelve_an_hour() {
        let mut attempts = Attempts::default();
        let (one, other): (IpAddr, IpAddr) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        let mut now = UnixMillis(0);
        for round in 0..6 {
            for _ in 0..2 {
                assert!(attempts.may_try(one, now), "round {round}");
                attempts.failed(one, now);
            }
            assert!(!attempts.may_try(one, now), "the third of a minute");
            assert!(attempts.may_try(other, now));
            now = UnixMillis(now.0 + MINUTE_MS);
        }
        assert!(!attempts.may_try(one, now), "the thirteenth of an hour");
        assert!(attempts.may_try(one, UnixMillis(HOUR_MS + MINUTE_MS)));
        assert!(!attempts.may_try(one, UnixMillis(MINUTE_MS)), "the clock was set back");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let mut attempts = Attempts::default();
        attempts.failed("2001:db8::1".parse().unwrap(), UnixMillis(0));
        attempts.failed("2001:db8::2".parse().unwrap(), UnixMillis(0));
        assert!(!attempts.may_try("2001:db8::3".parse().unwrap(), UnixMillis(0)));
        assert!(attempts.may_try("2001:db8:0:1::3".parse().unwrap(), UnixMillis(0)));
    }
}
