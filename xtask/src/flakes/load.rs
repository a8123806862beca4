//! Two busy loops beside the tests, as on a machine that does other things too.

use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

const LOOPS: usize = 2;

/// Keeps processors busy until it is dropped.
pub(super) struct Load {
    is_over: Arc<AtomicBool>,
    loops: Vec<JoinHandle<()>>,
}

impl Load {
    pub(super) fn start() -> Load {
        let is_over = Arc::new(AtomicBool::new(false));
        let turn = |_| {
            let is_over = Arc::clone(&is_over);
            thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            })
        };
        let loops = (0..LOOPS).map(turn).collect();
        Load { is_over, loops }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for one in self.loops.drain(..) {
            let _ = one.join();
        }
    }
}
