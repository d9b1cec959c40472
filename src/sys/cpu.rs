//! CPU time of processes and their children, from `/proc`.

use std::ops::Add;

/// User and system seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuTime {
    pub own: f64,
    /// The CPU time of descendants that have been waited for.
    pub children: f64,
}

impl Add for CpuTime {
    type Output = CpuTime;
    fn add(self, other: CpuTime) -> CpuTime {
        CpuTime { own: self.own + other.own, children: self.children + other.children }
    }
}

/// The CPU time of process `pid` (`self` for this process) so far; zeros if there is no such process.
pub fn own_and_children(pid: &str) -> CpuTime {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    parse(&stat).unwrap_or_default()
}

/// Fields 14 to 17 of `stat` in proc(5), in clock ticks. The command name in field 2 may contain spaces and
/// parentheses, so counting starts after the last parenthesis.
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
    fn a_hostile_command_name_does_not_shift_the_fields() {
        let stat = "7 (a) b) (c) S 1 7 7 0 -1 0 1 1 1 1 100 50 300 200 20 0 1 0";
        let tick = rustix::param::clock_ticks_per_second() as f64;
        let time = parse(stat).unwrap();
        assert_eq!((time.own * tick, time.children * tick), (150.0, 500.0));
    }
}
