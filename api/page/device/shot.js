/**
 * A photo ready to be sent and shown. What is sent are the camera's own bytes, for they are the
 * evidence; what is shown is a smaller, upright copy, for twelve megapixels are slow to pulse on.
 */

const SHOWN_SIDE = 1600;

/** The shot of a photo: {blob, width, height, url}; url is null if the browser cannot show it. */
export async function prepareShot(blob) {
  try {
    const bitmap = await createImageBitmap(blob, { imageOrientation: "from-image" });
    const { width, height } = bitmap;
    const url = URL.createObjectURL(await smaller(bitmap));
    return { blob, width, height, url };
  } catch {
    return { blob, width: 0, height: 0, url: null }; // HEIC outside Safari; the service reads it
  }
}

/** Forget what is kept to show a shot. */
export function releaseShot(shot) {
  if (shot.url) URL.revokeObjectURL(shot.url);
}

async function smaller(bitmap) {
  const scale = Math.min(1, SHOWN_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}
