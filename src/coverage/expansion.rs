//! Which expansion of a macro a part of llvm-cov's report is in. To clang, each expansion is a file of its own.

use crate::model::Line;

/// The places of the names of macros, from the outside to the inside: each name is in the text of the macro before it, and the
/// text of the last one is meant. None for code outside of macros.
pub type Expansion = Vec<(Line, u32)>;

/// The region of an expansion (`CounterMappingRegion::makeExpansion`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The number of the file that contains the macro's name.
    pub file: u32,
    /// Line and column of the name.
    pub name: (Line, u32),
    /// The number of the file that contains the macro's text.
    pub text: u32,
}

/// For each of the `files` of a function the expansion that it is, and the number of the file that contains the outermost name,
/// or its own.
pub fn expansions(files: usize, regions: impl Iterator<Item = Expanded>) -> Vec<(Expansion, usize)> {
    let mut names: Vec<Option<(usize, (Line, u32))>> = vec![None; files];
    for Expanded { file, name, text } in regions {
        if let Some(of) = names.get_mut(text as usize) {
            of.get_or_insert((file as usize, name));
        }
    }
    let of = |file: usize| {
        let outer = |(file, _): &(usize, (Line, u32))| *names.get(*file)?;
        // The files of damaged data may contain each other.
        let names = std::iter::successors(names[file], outer).take(files);
        let (mut places, mut root) = (Expansion::new(), file);
        for (file, name) in names {
            places.push(name);
            root = file;
        }
        places.reverse();
        (places, root)
    };
    (0..files).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expansion_is_named_from_the_outside_to_the_inside() {
        let region = |file, line, text| Expanded { file, name: (line, 5), text };
        let found = expansions(4, [region(2, 1, 1), region(0, 9, 2)].into_iter());
        assert_eq!(found, [(vec![], 0), (vec![(9, 5), (1, 5)], 0), (vec![(9, 5)], 0), (vec![], 3)]);
        let damaged = expansions(2, [region(0, 1, 1), region(1, 2, 0), region(0, 3, 7)].into_iter());
        assert_eq!(damaged.iter().map(|(names, _)| names.len()).collect::<Vec<usize>>(), [2, 2]);
    }
}
