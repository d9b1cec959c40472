//! The mechanisms that are understood, each with its place in the source of GCC or LLVM.

use crate::model::{Cause, Family, Layer};

/// A mechanism that produces wrong numbers.
#[derive(Clone, Copy, Debug)]
pub struct KnownMechanism {
    pub id: &'static str,
    pub family: Family,
    pub layer: Layer,
    /// The mechanism in words that a maintainer understands.
    pub sentence: &'static str,
    /// File and function in the source of GCC or LLVM.
    pub source: &'static str,
}

/// The mechanism of `family` with this id; none for a combination that is not understood yet.
pub fn known_mechanism(family: Family, id: &str) -> Option<&'static KnownMechanism> {
    TABLE.iter().find(|known| known.family == family && known.id == id)
}

/// The mechanism of `cause` as the part of a sentence.
pub fn mechanism_in_words(family: Family, cause: &Cause) -> String {
    if let Some(known) = known_mechanism(family, &cause.mechanism) {
        return known.in_words();
    }
    let layer = match cause.layer {
        Layer::Counter => "a counter is wrong or missing",
        Layer::Mapping => "the mapping of code to counters is wrong",
        Layer::LineRule => "the rule for lines is wrong",
        Layer::Report => "the report differs from the rules of the profiler",
        Layer::Missing => "the report lacks an element",
    };
    format!("{layer}, in a way that is not understood yet ({})", cause.mechanism)
}

impl KnownMechanism {
    /// The sentence as a part of another one: without a capital and a full stop.
    pub fn in_words(&self) -> String {
        let sentence = self.sentence.trim_end_matches('.');
        let (first, rest) = sentence.split_at(1);
        if rest.starts_with(char::is_uppercase) { sentence.into() } else { first.to_lowercase() + rest }
    }
}

#[rustfmt::skip]
const TABLE: &[KnownMechanism] = &[
    KnownMechanism { id: "block-on-last-line", family: Family::Gcov, layer: Layer::LineRule,
        sentence: "A block belongs only to the last line of each of its location entries: lines before it lose the block, and a line that owns no block shows the sum of all blocks that list it.",
        source: "gcov.cc, add_line_counts and accumulate_line_info" },
    KnownMechanism { id: "return-to-line", family: Family::Gcov, layer: Layer::LineRule,
        sentence: "Every arc into a block of a line from a block of another line counts as another execution of the line, even if control only returns to a statement that began before.",
        source: "gcov.cc, accumulate_line_info" },
    KnownMechanism { id: "test-at-operator", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The test of a condition is located at `:`, `&&` or `||`, which is on another line than the condition.",
        source: "c/c-parser.cc, c_parser_conditional_expression and c_parser_binary_expression; gimplify.cc, shortcut_cond_expr" },
    KnownMechanism { id: "merged-jump", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "Jumps that leave one scope through the same code are merged into one edge, which keeps the goto_locus of one of them.",
        source: "tree-eh.cc, lower_try_finally (exits of a scope); profile.cc, branch_prob (goto_locus)" },
    KnownMechanism { id: "label-on-join-block", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "An empty last `case` has no block of its own; its label is on the block where all cases join.",
        source: "tree-cfg.cc, make_blocks; profile.cc, branch_prob" },
    KnownMechanism { id: "label-of-removed-block", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The block of a label that nothing reaches is removed, but the label stays if its address is taken, and its line is on the block before it.",
        source: "tree-cfg.cc, remove_bb (FORCED_LABEL)" },
    KnownMechanism { id: "switch-without-location", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The jump of a nested `switch` has no location, so its branches are on the line of the code before it.",
        source: "gimplify.cc, gimplify_switch_expr" },
    KnownMechanism { id: "else-without-effect", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "If an `else` arm changes nothing, the operands of the condition before it jump past it, so its own tests run less often than in the source.",
        source: "gimplify.cc, shortcut_cond_expr" },
    KnownMechanism { id: "fake-entry-arcs", family: Family::Gcov, layer: Layer::Report,
        sentence: "The function count includes the fake arcs from the entry to labels that are reached by non-local jumps, a computed goto or the second return of setjmp.",
        source: "gcov.cc, the count of block 0; profile.cc, branch_prob (need_entry_edge)" },
    KnownMechanism { id: "head-of-uncalled-copy", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "If all calls of a function are inlined, its head is listed only in the out-of-line copy, which is never called.",
        source: "profile.cc, branch_prob: only the first block of a compiled function gets its line" },
    KnownMechanism { id: "last-block", family: Family::Gcov, layer: Layer::LineRule,
        sentence: "The block with the highest number is taken to be the exit block, which has had number 1 since gcc 4.8, and is not attached to its line.",
        source: "gcov.cc, add_line_counts" },
    KnownMechanism { id: "argument-at-call", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The test and the arms of a `?:` that is an argument of a call are located at the call, which may be on an earlier line.",
        source: "gimplify.cc, gimplify_arg: \"Make sure arguments have the same location as the function call itself\"" },
    KnownMechanism { id: "scope-exit-location", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The block that leaves a scope is located at the beginning of the scope or at the condition before it.",
        source: "gimplify.cc, gimplify_bind_expr (start_locus and end_locus)" },
    KnownMechanism { id: "folded-conditional", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "A conditional expression is folded into MIN_EXPR, MAX_EXPR or the like, so both arms are evaluated each time.",
        source: "fold-const.cc, fold_cond_expr_with_comparison" },
    KnownMechanism { id: "left-in-block", family: Family::Gcov, layer: Layer::Counter,
        sentence: "A signal handler leaves a function in the middle of a block; the counts of the arcs after the block are derived as if it had been completed.",
        source: "gcov.cc, solve_flow_graph; profile.cc, branch_prob: only calls get a fake arc to the exit" },
    KnownMechanism { id: "assignment-in-arms", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "An assignment of a conditional expression is moved into its arms, each with the location of the arm, so the line on which the statement begins has the count of an arm or none.",
        source: "gimplify.cc, gimplify_modify_expr_rhs (COND_EXPR)" },
    KnownMechanism { id: "conversion-into-arms", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "A conversion of a conditional expression, or an operation on it, is moved into its arms, and the new expression, with its test and arms, has the location of the conversion or the operator.",
        source: "fold-const.cc, fold_unary_loc (COND_EXPR) and fold_binary_op_with_conditional_arg" },
    KnownMechanism { id: "label-before-loop", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The label of a loop that is entered at several places stays in a block before the loop; jumps back to the label lead to the block after it.",
        source: "cfgloopmanip.cc, create_preheader; cfghooks.cc, make_forwarder_block" },
    KnownMechanism { id: "continue-predictor", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "The prediction of a `continue` has no location of its own and gets that of the scope around it, so the line on which the scope begins shows the count of the `continue`.",
        source: "c-family/c-gimplify.cc, genericize_continue_stmt (PREDICT_EXPR without a location); gimplify.cc, gimplify_expr" },
    KnownMechanism { id: "folded-in-copy", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "A function is inlined before counters are inserted; in the copies in which a constant argument decides a test, its code is removed, and the line has the count of the other copies only.",
        source: "tree-inline.cc, fold_marked_statements; passes.def, pass_ipa_tree_profile after pass_early_inline" },
    KnownMechanism { id: "masking-across-call", family: Family::Gcov, layer: Layer::Mapping,
        sentence: "If an operand between the first and the last one of a decision contains a call, a later operand does not mask the conditions before the call, so their outcomes are covered by vectors in which they decide nothing.",
        source: "tree-profile.cc, find_conditions (masking vectors); the block of the operand is divided at the call" },
    KnownMechanism { id: "paths-of-first-loop", family: Family::Gcov, layer: Layer::Counter,
        sentence: "In a function whose first block is the head of a loop, gcc records other paths than those that gcov lists: cycles and single blocks, without the paths that leave the loop.",
        source: "path-coverage.cc, instrument_prime_paths; prime-paths.cc, prime_paths" },
    KnownMechanism { id: "declared-in-system-header", family: Family::Gcov, layer: Layer::Missing,
        sentence: "A function that a system header declares keeps the location of that declaration, so the function and its first line are missing where it is defined.",
        source: "c/c-decl.cc, merge_decls (DECL_IN_SYSTEM_HEADER of the old declaration)" },
    KnownMechanism { id: "gap-counter", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "A gap has a stale or zero counter: GapRegionCounter is set by some statements only, and is kept where nothing falls through or where the code after it has another count.",
        source: "CoverageMappingGen.cpp, VisitStmt and GapRegionCounter" },
    KnownMechanism { id: "equal-regions-added", family: Family::LlvmCov, layer: Layer::LineRule,
        sentence: "Regions of one function with equal extent are taken for instances of one region, and their counts are added.",
        source: "CoverageMapping.cpp, SegmentBuilder::combineRegions" },
    KnownMechanism { id: "empty-region", family: Family::LlvmCov, layer: Layer::LineRule,
        sentence: "A region of length zero, at the name of a macro, starts a segment with the count of the region around it, or skipped text if it is the last region.",
        source: "CoverageMapping.cpp, SegmentBuilder::buildSegmentsImpl; CoverageMappingGen.cpp, popRegions" },
    KnownMechanism { id: "expansion-count", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "An expansion region has the count of one of the regions in its file, which may be that of the code around the macro.",
        source: "CoverageMappingGen.cpp, emitExpansionRegions and adjustForOutOfOrderTraversal" },
    KnownMechanism { id: "nested-macro-in-loop", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The condition of a loop that begins in a macro whose text begins with another macro has no expansion: its line has the count of the code around the loop.",
        source: "CoverageMappingGen.cpp, VisitWhileStmt, VisitForStmt and adjustForOutOfOrderTraversal" },
    KnownMechanism { id: "region-ends-at-macro-name", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The region of a statement that begins with a macro ends at the macro name; the arguments on further lines are in the region around it.",
        source: "CoverageMappingGen.cpp, popRegions and getIncludeOrExpansionLoc" },
    KnownMechanism { id: "unevaluated-code", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "Operands and associations that are never evaluated are mapped like code: they have branches and regions, and a call in one that does not return ends the region around it.",
        source: "CoverageMappingGen.cpp, CounterCoverageMappingBuilder: no method for `sizeof` and `_Generic`" },
    KnownMechanism { id: "no-region-after-goto", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "No region ends at a computed goto or `asm goto`: the visitor has no method for them.",
        source: "CoverageMappingGen.cpp, CounterCoverageMappingBuilder" },
    KnownMechanism { id: "exit-in-test", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "A derived count ignores a jump out of the test, condition or step that it is derived from.",
        source: "CoverageMappingGen.cpp, VisitIfStmt and VisitForStmt" },
    KnownMechanism { id: "second-return", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "Counts assume that a call returns once; the code after setjmp runs again at its second return, without a counter.",
        source: "CoverageMappingGen.cpp, VisitCallExpr and the counts of VisitIfStmt" },
    KnownMechanism { id: "break-in-test", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The loop is popped from BreakContinueStack before its test is visited, so a `break` in the test is added to the outer loop.",
        source: "CoverageMappingGen.cpp, VisitWhileStmt" },
    KnownMechanism { id: "no-gap-before-region", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "A new region begins without a gap before it, and the line has the maximum of its count and that of the region around.",
        source: "CoverageMappingGen.cpp, VisitStmt; CoverageMapping.cpp, LineCoverageStats" },
    KnownMechanism { id: "runs-after-profile", family: Family::LlvmCov, layer: Layer::Counter,
        sentence: "Code that runs after the profile was written is not counted.",
        source: "compiler-rt/lib/profile/InstrProfilingFile.c; documented" },
    KnownMechanism { id: "operator-outside-arm", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The region of an arm begins after the `?` or `:`; a line that begins with the operator is wrapped with the count of the enclosing code.",
        source: "CoverageMappingGen.cpp, VisitAbstractConditionalOperator" },
    KnownMechanism { id: "do-while-keyword", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The region of the test of a `do` loop begins at the test; the keyword `while` is in the region around the loop.",
        source: "CoverageMappingGen.cpp, VisitDoStmt" },
    KnownMechanism { id: "step-outside-region", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The region of the step of a `for` begins at the step; a line that begins with the step is wrapped with the count of the code around the loop.",
        source: "CoverageMappingGen.cpp, VisitForStmt" },
    KnownMechanism { id: "resumed-segment", family: Family::LlvmCov, layer: Layer::LineRule,
        sentence: "Code after the end of a nested region on the same line is in a segment that resumes the enclosing region; the count of a line ignores such segments.",
        source: "CoverageMapping.cpp, LineCoverageStats" },
    KnownMechanism { id: "folded-condition", family: Family::LlvmCov, layer: Layer::Counter,
        sentence: "clang emits no code for a constant condition, and so no counters of the operands of `&&` and `||` in it.",
        source: "CodeGen/CGStmt.cpp, EmitIfStmt; CodeGen/CodeGenFunction.cpp, EmitBranchOnBoolExpr" },
    KnownMechanism { id: "call-does-not-return", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "A call that does not return ends no region, since clang does not know that it does not return: the code after it has the count of the code before it.",
        source: "CoverageMappingGen.cpp, VisitCallExpr" },
    KnownMechanism { id: "skipped-after-directive", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The skipped text before an `#elif` whose condition holds ends at the beginning of the line after the directive, so no region begins on that line and it has no count.",
        source: "Lex/PPDirectives.cpp, SkipExcludedConditionalBlock: SourceRangeSkipped with the location of the lexer after the condition" },
    KnownMechanism { id: "comment-after-blank-line", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The skipped text of a blank line is joined with that of the comment after it, and then ends within the line of the comment: that line begins in skipped text and has no count, although code follows the comment.",
        source: "CoverageMappingGen.cpp, CoverageSourceInfo::AddSkippedRange, and gatherSkippedRegions: adjustSkippedRange is called for comments only" },
    KnownMechanism { id: "switch-without-braces", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "No gap is made between a `switch` and a body without braces: the line on which the body begins has the maximum of its count and that of the `switch`.",
        source: "CoverageMappingGen.cpp, VisitSwitchStmt; CoverageMapping.cpp, LineCoverageStats" },
    KnownMechanism { id: "outcome-of-last-condition", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "The outcome of a test vector is taken to be the value of the last condition that was evaluated; a `!` around a part of the decision inverts it, so outcomes are wrong, and conditions are reported as covered by vectors with equal outcomes.",
        source: "CoverageMapping.cpp, MCDCRecordProcessor::buildTestVector; CoverageMappingGen.cpp, MCDCCoverageBuilder" },
    KnownMechanism { id: "decision-in-tested-arm", family: Family::LlvmCov, layer: Layer::Mapping,
        sentence: "A conditional expression that is the condition of another one, or an operand of `&&` or `||`, is generated as branches, and a decision that is its condition or one of its arms records no test vector.",
        source: "CodeGenFunction.cpp, EmitBranchOnBoolExpr (ConditionalOperator)" },
    KnownMechanism { id: "runtime-calls", family: Family::LlvmCov, layer: Layer::Counter,
        sentence: "The profiling runtime calls functions of the C library that the program itself defines, directly or through others such as fclose, and these calls are counted.",
        source: "compiler-rt/lib/profile, InstrProfilingFile.c and InstrProfilingWriter.c" },
];
