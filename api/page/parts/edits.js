/** A position that is put right tap by tap: {position, earlier}, `earlier` what it was before. */

/** After a change. */
export const edited = ({ position, earlier }, next) => ({
  position: next,
  earlier: [...earlier, position],
});

/** With the last change taken back. */
export const undone = ({ position, earlier }) =>
  earlier.length === 0
    ? { position, earlier }
    : { position: earlier.at(-1), earlier: earlier.slice(0, -1) };
