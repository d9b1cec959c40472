//! Enums whose variants have fixed names: one table declares each variant with its name.

/// Declare an enum of unit variants. Each is printed and serialised under the name given here, and parsed back from
/// it. `ALL` lists them in the order of declaration, which is also their order by `Ord`.
macro_rules! named_enum {
    ($(#[$about:meta])* pub enum $type:ident { $($(#[$detail:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub enum $type {
            $($(#[$detail])* #[serde(rename = $name)] $variant,)+
        }

        impl $type {
            #[allow(dead_code, reason = "some are only named")]
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name used in flags, journals, signatures and reports.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }
    };
}
pub(crate) use named_enum;
