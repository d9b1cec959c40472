//! What a program under test is kept in: namespaces, a user of its own, Landlock.
//!
//! Several layers, so that what one machine lacks another layer still keeps. None of them asks for more
//! than the kernel gives an ordinary user, but for the user of its own: only root can change users.
//! What is lacking is told by [`Layer::lacks`] and never passed over.

use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, OnceLock, mpsc};

use camino::{Utf8Path, Utf8PathBuf};
use landlock::{
    ABI, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_change, unmount,
};
use rustix::process::{Gid, Uid, geteuid, getgid, getpid, getuid};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};
use serde::{Deserialize, Serialize};

use super::lock;
use super::scratch::{left_folder, run_folder};

/// Where programs look for room for temporary files, whatever their environment says.
const TMP: &str = "/tmp";

/// Most that a program may write into its folder, and into [`TMP`], in MiB.
const ROOM_MIB: u64 = 64;

/// The first of 2^24 user ids that nobody has; each supervisor draws one.
const FIRST_USER: u32 = 0x7000_0000;

/// The newest interface of Landlock that is asked for; an older kernel gives what it has.
const LANDLOCK: ABI = ABI::V6;

/// One of the things that keep a program from doing harm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// What it is.
    pub name: LayerName,
    /// Why it is not there.
    pub lacks: Option<String>,
}

/// The layers, from the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LayerName {
    /// A PID namespace.
    Processes,
    /// A network namespace.
    Network,
    /// A mount namespace.
    Mounts,
    /// A user id that nobody else has.
    User,
    /// Landlock.
    Landlock,
}

impl LayerName {
    /// Its name in the words of the kernel's manual.
    pub fn name(self) -> &'static str {
        match self {
            LayerName::Processes => "PID namespace",
            LayerName::Network => "network namespace",
            LayerName::Mounts => "mount namespace",
            LayerName::User => "user of its own",
            LayerName::Landlock => "Landlock",
        }
    }

    /// What it keeps a program from.
    pub fn keeps_from(self) -> &'static str {
        match self {
            LayerName::Processes => "outliving its run, and seeing or signalling any other process",
            LayerName::Network => "any network, loopback included",
            LayerName::Mounts => "filling a disk: its folder and /tmp are its own, of 64 MiB each",
            LayerName::User => "touching what is root's, and more than 64 processes",
            LayerName::Landlock => "writing outside its folder, TCP, signals and tracing",
        }
    }
}

/// Put this process and its children into namespaces of their own, with a new [`TMP`] and a
/// new folder to run in below `scratch`; say for each how that went. Programs can get at the folder `needed`.
pub(super) fn separate(scratch: &Utf8Path, needed: Option<&Utf8Path>) -> Vec<Layer> {
    let allowed = if geteuid().is_root() { Ok(()) } else { own_user_namespace() };
    let enter = |flags: CloneFlags| {
        allowed.clone()?;
        unshare(flags).map_err(|error| error.desc().to_string())
    };
    let mounts = enter(CloneFlags::CLONE_NEWNS)
        .and_then(|()| mounted(scratch, needed).map_err(|error| error.to_string()));
    let network = enter(CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC);
    let processes = enter(CloneFlags::CLONE_NEWPID);
    let layer = |name, went: Result<(), String>| Layer { name, lacks: went.err() };
    vec![
        layer(LayerName::Processes, processes),
        layer(LayerName::Network, network),
        layer(LayerName::Mounts, mounts),
    ]
}

/// A user namespace in which we are who we are, so that the other namespaces are ours to enter.
fn own_user_namespace() -> Result<(), String> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER).map_err(|error| format!("no user namespace: {}", error.desc()))?;
    let write = |file: &str, text: String| {
        std::fs::write(format!("/proc/self/{file}"), text).map_err(|error| format!("{file}: {error}"))
    };
    write("setgroups", "deny".into())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))
}

/// Whether this process is in a user namespace that has one user only.
pub(super) fn is_in_own_user_namespace() -> bool {
    mapped("uid_map").is_some_and(|ranges| ranges.iter().map(|range| range.1).sum::<u64>() == 1)
}

/// First id and length of each range of ids that this process can use.
fn mapped(file: &str) -> Option<Vec<(u64, u64)>> {
    let text = std::fs::read_to_string(format!("/proc/self/{file}")).ok()?;
    let range = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.nth(1)?.parse().ok()?))
    };
    text.lines().map(range).collect()
}

fn mounted(scratch: &Utf8Path, needed: Option<&Utf8Path>) -> io::Result<()> {
    // What is mounted in here is nobody else's.
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let room = |at: &Utf8Path, mode: &str| {
        let data = CString::new(format!("mode={mode},size={ROOM_MIB}m,nr_inodes=16k"))?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount("recount", at.as_str(), "tmpfs", flags, Some(data.as_c_str())).map_err(io::Error::from)
    };
    room(&run_folder(scratch), "1777")?;
    // Compilers that were installed for one user bring the libraries of their programs, below a home that
    // is closed to others. In here it holds nothing else.
    let home =
        needed.filter(|_| geteuid().is_root()).and_then(|folder| Some((folder, outermost_closed(folder)?)));
    if let Some((folder, closed)) = home.filter(|(_, closed)| !scratch.starts_with(closed)) {
        let real = open(folder.as_str(), OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        room(closed, "0711")?;
        fs_err::create_dir_all(folder)?;
        mount_bind(format!("/proc/self/fd/{}", real.as_raw_fd()), folder.as_str())?;
    }
    // A scratch folder below it must stay in sight.
    if scratch.starts_with(TMP) { Ok(()) } else { room(Utf8Path::new(TMP), "1777") }
}

/// Give up the folder to run in, so that `scratch` can be removed.
pub(super) fn leave(scratch: &Utf8Path) {
    let _ = unmount(run_folder(scratch).as_str(), UnmountFlags::DETACH);
}

fn has(layers: &[Layer], name: LayerName) -> bool {
    layers.iter().any(|layer| layer.name == name && layer.lacks.is_none())
}

/// The first process in the namespaces gets the rest: who programs run as, and who starts them. Its own
/// work needs neither.
pub(super) fn enter(scratch: &Utf8Path, layers: &mut Vec<Layer>) -> (Option<u32>, Spawner) {
    if has(layers, LayerName::Processes) && has(layers, LayerName::Mounts) {
        // The old one tells of processes that are not in here. Only root may hide it.
        let _ =
            mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None);
    }
    let user = own_user(scratch);
    let writable = Writable { folders: folders(scratch, layers), left: Some(left_folder(scratch)) };
    // A program may signal a thread that has its user. The first process of a namespace cannot be killed from within.
    let is_safe = has(layers, LayerName::Processes);
    let (mut spawner, (user, restricted)) = Spawner::new(move || {
        let restricted = restrict(&writable);
        (if is_safe { user.and_then(become_user) } else { user }, restricted)
    });
    spawner.becomes = user.clone().ok().filter(|_| !is_safe);
    layers.push(Layer { name: LayerName::User, lacks: user.clone().err() });
    layers.push(Layer { name: LayerName::Landlock, lacks: restricted.err() });
    (user.ok(), spawner)
}

/// The folders that a program may fill, which are emptied before each. [`TMP`] is one only where it is a
/// new one.
pub(super) fn folders(scratch: &Utf8Path, layers: &[Layer]) -> Vec<Utf8PathBuf> {
    let own_tmp = has(layers, LayerName::Mounts) && !scratch.starts_with(TMP);
    [run_folder(scratch)].into_iter().chain(own_tmp.then(|| TMP.into())).collect()
}

/// A user id that nobody has and that can get at the programs below `scratch`.
fn own_user(scratch: &Utf8Path) -> Result<u32, String> {
    if !geteuid().is_root() {
        return Err("only root can change users; programs run as the user that recount runs as".into());
    }
    // Process ids would differ from supervisor to supervisor, but in its namespace each is 1.
    let own = std::fs::read_to_string("/proc/sys/kernel/random/uuid").unwrap_or_default();
    let number = u32::from_str_radix(own.get(..6).unwrap_or("0"), 16).unwrap_or(0);
    let user = FIRST_USER + number;
    let is_mapped = |file| {
        let within = |&(first, length): &(u64, u64)| (first..first + length).contains(&u64::from(user));
        mapped(file).is_some_and(|ranges| ranges.iter().any(within))
    };
    if !is_mapped("uid_map") || !is_mapped("gid_map") {
        return Err("this user namespace has no free user ids".into());
    }
    let allow = |folder: &Utf8Path, mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder, rights).map_err(|error| format!("{folder}: {error}"))
    };
    allow(scratch, 0o711)?;
    allow(&left_folder(scratch), 0o711)?;
    allow(&run_folder(scratch), 0o1777)?;
    match closed(scratch) {
        None => Ok(user),
        Some(folder) => {
            Err(format!("nobody else can enter {folder}; set TMPDIR to a folder that others can"))
        }
    }
}

/// The folder on the way to `path`, or itself, that nobody but its owner can enter.
fn closed(path: &Utf8Path) -> Option<&Utf8Path> {
    path.ancestors().find(|step| std::fs::metadata(step).is_ok_and(|found| found.mode() & 0o001 == 0))
}

/// The outermost such folder.
fn outermost_closed(path: &Utf8Path) -> Option<&Utf8Path> {
    let mut found = closed(path)?;
    while let Some(above) = found.parent().and_then(closed) {
        found = above;
    }
    Some(found)
}

/// This thread and what it starts are `user`'s from here on. To change users on the way to each program the library
/// forks, and copies our page tables; where the thread has changed before, it need not.
fn become_user(user: u32) -> Result<u32, String> {
    set_thread_groups(&[])
        .and_then(|()| set_thread_gid(Gid::from_raw(user)))
        .and_then(|()| set_thread_uid(Uid::from_raw(user)))
        .map_err(|error| format!("it cannot become user {user}: {error}"))?;
    Ok(user)
}

/// Kill everything in this PID namespace but its first process, if that is who we are.
pub(super) fn kill_all_inside() {
    // Anywhere else this would mean every process of the machine.
    let is_first = getpid().is_init() && rustix::process::getppid().is_none();
    if is_first {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), nix::sys::signal::Signal::SIGKILL);
    }
}

/// Keep this thread and what it starts from writing anywhere but in `folders`, and from TCP: compilers and
/// coverage tools, which are trusted more than programs are. Supervisors are started by a thread that is not
/// restricted, because a restricted one may not mount. Where there is no Landlock this does nothing.
pub fn restrict_tool_writes(folders: Vec<Utf8PathBuf>) {
    starter();
    let _ = restricted(&Writable { folders, left: None });
}

/// The thread that starts supervisors.
fn starter() -> &'static Mutex<Spawner> {
    static STARTER: OnceLock<Mutex<Spawner>> = OnceLock::new();
    STARTER.get_or_init(|| Mutex::new(Spawner::new(|| ()).0))
}

/// Start a supervisor, from whatever thread.
pub(super) fn start_unrestricted(builder: Command) -> io::Result<Child> {
    lock(starter()).spawn(builder)
}

/// Where somebody may write: whole folders, and the files that stand ready in another one.
#[derive(Debug)]
pub(super) struct Writable {
    folders: Vec<Utf8PathBuf>,
    left: Option<Utf8PathBuf>,
}

/// A thread that starts programs. Landlock restricts a thread and what it starts, and a thread can have a user of
/// its own: the supervisor itself keeps its rights, and is outside of the programs' reach.
#[derive(Debug)]
pub(super) struct Spawner {
    builders: mpsc::Sender<Command>,
    children: mpsc::Receiver<io::Result<Child>>,
    /// The user that programs become on their way, where the thread does not have it.
    becomes: Option<u32>,
}

impl Spawner {
    /// A spawner whose thread does `first` before anything else, and what came of it.
    pub(super) fn new<T: Send + 'static>(first: impl FnOnce() -> T + Send + 'static) -> (Spawner, T) {
        let (builders, to_start) = mpsc::channel::<Command>();
        let (reports, children) = mpsc::channel();
        let (tell, went) = mpsc::channel();
        std::thread::spawn(move || {
            let _ = tell.send(first());
            for mut builder in to_start {
                if reports.send(builder.spawn()).is_err() {
                    break;
                }
            }
        });
        let went = went.recv().expect("a thread that has just started tells what it did");
        (Spawner { builders, children, becomes: None }, went)
    }

    /// Whether programs get their user on their way, and not from the thread.
    pub(super) fn changes_users(&self) -> bool {
        self.becomes.is_some()
    }

    /// Start a program.
    pub(super) fn spawn(&self, mut builder: Command) -> io::Result<Child> {
        if let Some(user) = self.becomes {
            builder.uid(user).gid(user);
        }
        let gone = |_| io::Error::other("the thread that starts programs died");
        self.builders.send(builder).map_err(|_| gone(mpsc::RecvError))?;
        self.children.recv().map_err(gone)?
    }
}

/// Restrict this thread and what it starts.
fn restrict(writable: &Writable) -> Result<(), String> {
    let status = restricted(writable).map_err(|error| error.to_string())?;
    match status {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced => {
            Err(format!("in part only: this kernel has less than {LANDLOCK:?}"))
        }
        RulesetStatus::NotEnforced => Err("this kernel does not have it, or it is not switched on".into()),
    }
}

fn restricted(writable: &Writable) -> Result<RulesetStatus, RulesetError> {
    let all = AccessFs::from_write(LANDLOCK);
    let write = AccessFs::WriteFile | AccessFs::Truncate;
    let mut ruleset =
        Ruleset::default().handle_access(all)?.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?;
    // Who may leave files for us is a program; tools have to be signalled, and talk to us.
    if writable.left.is_some() {
        ruleset = ruleset.scope(Scope::Signal | Scope::AbstractUnixSocket)?;
    }
    let mut rules = ruleset.create()?;
    let everywhere = writable.folders.iter().map(|folder| (folder.as_str(), all));
    let ready = writable.left.iter().map(|folder| (folder.as_str(), write));
    let devices = ["/dev/null", "/dev/zero", "/dev/full"].map(|device| (device, write));
    for (path, access) in everywhere.chain(ready).chain(devices) {
        // What is not there cannot be written either.
        let Ok(place) = PathFd::new(path) else { continue };
        rules = rules.add_rule(PathBeneath::new(place, access))?;
    }
    Ok(rules.restrict_self()?.ruleset)
}
