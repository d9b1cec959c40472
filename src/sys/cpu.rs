//! CPU time of ourselves and of everything we started, from `/proc`.

use std::ops::{Add, Sub};

/// User and system seconds, ours and our children's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuTime {
    /// Of the process itself.
    pub own: f64,
    /// Of its descendants that have been waited for.
    pub children: f64,
}

impl Add for CpuTime {
    type Output = CpuTime;
    fn add(self, other: CpuTime) -> CpuTime {
        CpuTime { own: self.own + other.own, children: self.children + other.children }
    }
}

impl Sub for CpuTime {
    type Output = CpuTime;
    fn sub(self, other: CpuTime) -> CpuTime {
        CpuTime { own: self.own - other.own, children: self.children - other.children }
    }
}

/// The CPU time of process `pid` (`self` for us) so far; zeros where `/proc` does not tell.
pub fn own_and_children(pid: &str) -> CpuTime {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    parse(&stat).unwrap_or_default()
}

/// Fields 14 to 17 of proc(5)'s `stat`, in clock ticks; the command name in
/// field 2 may hold spaces and parentheses, so counting starts behind the last one.
fn parse(stat: &str) -> Option<CpuTime> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let tick = rustix::param::clock_ticks_per_second() as f64;
    let seconds = |n: usize| Some(fields.get(n - 3)?.parse::<f64>().ok()? / tick);
    Some(CpuTime { own: seconds(14)? + seconds(15)?, children: seconds(16)? + seconds(17)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_read_behind_a_hostile_name() {
        let stat = "7 (a) b) (c) S 1 7 7 0 -1 0 1 1 1 1 100 50 300 200 20 0 1 0";
        let tick = rustix::param::clock_ticks_per_second() as f64;
        let time = parse(stat).unwrap();
        assert_eq!((time.own * tick, time.children * tick), (150.0, 500.0));
    }
}
