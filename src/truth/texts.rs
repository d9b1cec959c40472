//! The texts of a program from which ground truth is made.

use camino::Utf8Path;

use super::no_truth::NoTruth;
use crate::model::{Family, is_same_path};
use crate::syntax::{Preprocessed, with_lines_of_file, without_comments};
use crate::toolchain::{Profiler, Request, SOURCE};

/// The texts from which a program is instrumented.
pub(super) struct Texts {
    /// The program that is preprocessed, with the line numbers that the profiler counts: llvm-cov counts the lines of the
    /// file, gcov those that `#line` names.
    pub program: String,
    /// The file whose lines are counted, and its name.
    pub typed: String,
    name: String,
    /// The program as it was typed, if that is not the file whose lines are counted.
    main: Option<String>,
    /// Whether the code of a macro is counted where the macro is defined, as llvm-cov does it, and not where it is named.
    counts_definitions: bool,
}

impl Texts {
    pub fn of(profiler: &dyn Profiler, request: &Request<'_>) -> Result<Texts, NoTruth> {
        let own = |text: &str| match profiler.info().profiler {
            Family::Gcov => Some(text.to_string()),
            Family::LlvmCov => with_lines_of_file(text, SOURCE),
        };
        let typed = own(request.source).ok_or(NoTruth::Expanded)?;
        let program = without_comments(&typed);
        let counts_definitions = profiler.info().profiler == Family::LlvmCov;
        let Some(file) = request.file else {
            return Ok(Texts { program, typed, name: SOURCE.into(), main: None, counts_definitions });
        };
        let text = fs_err::read_to_string(file).map_err(|error| NoTruth::NotReadable(error.to_string()))?;
        if own(&text).as_ref() != Some(&text) {
            return Err(NoTruth::Renumbered);
        }
        let (name, main) = (file.to_string(), Some(typed));
        Ok(Texts { program, typed: text, name, main, counts_definitions })
    }

    /// What the preprocessor made of the program.
    pub fn preprocessed(&self, text: String) -> Preprocessed {
        let found = Preprocessed::new(text, &self.name).of(&self.typed);
        if self.counts_definitions { found.with_others(|name| self.other(name)) } else { found }
    }

    /// The text of another file of the program as it was typed.
    fn other(&self, name: &str) -> Option<String> {
        match &self.main {
            Some(main) if is_same_path(name, SOURCE) => Some(main.clone()),
            _ => fs_err::read_to_string(Some(name).filter(|name| Utf8Path::new(name).is_absolute())?).ok(),
        }
    }
}
