//! Waiting for what nobody tells of: it is looked at again and again, and not for ever.

use std::time::Duration;

/// Longer than anything takes that these tests wait for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A breath between two looks, for those who are to do it.
const BREATH: Duration = Duration::from_millis(5);

/// What comes of something that has to end by itself; nothing, if it does not.
pub(crate) async fn ended<T>(something: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(PATIENCE, something).await.ok()
}

/// What a look finds as soon as it finds something.
pub(crate) async fn until<T>(what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    let looking = async {
        loop {
            match look().await {
                Some(found) => return found,
                None => tokio::time::sleep(BREATH).await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("{what} did not come"))
}
