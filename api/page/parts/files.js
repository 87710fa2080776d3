/** What a file input was given. */

/** Hand on the first file that was picked, and be ready for the same one again. */
export function picked(event, onFile) {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) void onFile(file);
}
