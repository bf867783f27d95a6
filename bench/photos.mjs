// Photos that differ in a comment alone: PHOTO names a JPEG, else one of 2,000 × 1,333 points is made by an example of ours.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** A function that gives the bytes of the photo of a number. `work` is a folder for the photo where one has to be made. */
export function photos(work) {
  const made = () => {
    const file = join(work, "photo.jpg");
    execFileSync("cargo", ["run", "--locked", "--quiet", "--package", "media", "--example", "photo", "--", file, "2000", "1333", "84"], { cwd: root, stdio: "inherit" });
    return file;
  };
  const photo = readFileSync(process.env.PHOTO ?? made());
  return (number) => {
    const comment = Buffer.from(`picture ${number}`);
    const head = Buffer.alloc(4);
    head.writeUInt16BE(0xfffe, 0);
    head.writeUInt16BE(comment.length + 2, 2);
    return Buffer.concat([photo.subarray(0, 2), head, comment, photo.subarray(2)]);
  };
}
