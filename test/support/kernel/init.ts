/** The options that an image is mounted with, one after the other; each makes Linux read another of its trees. */
export const mountOptions = ['ro', 'ro,norock', 'ro,norock,nojoliet'] as const;

export type MountOptions = (typeof mountOptions)[number];

/** Files of more KiB than this are not hashed whole: the emulated processor hashes some 20 MiB in a second. */
export const wholeLimit: number = 128 * 1024;

/** What is read of a file that is not hashed whole, at each place that was asked for: bytes. */
export const windowSize = 4096;

/**
 * What the virtual machine does, a script for busybox. It mounts the drives, one for each image, and puts what it reads into a
 * folder for each mount.
 *
 * - `names`: the path of everything below the top, each after `./` and before a NUL, in the order of the directories
 * - `stats`: one line for each of them: mode in hexadecimal, size, seconds since 1970, owner and group
 * - `files`, `sums`: the paths of regular files, and what `sha256sum` says of them
 * - `windows`: for each larger file and each of `windows`, in bytes, the SHA-256 of `windowSize` bytes from there
 * - `failed`: why the image could not be mounted or read
 */
export function initScript(drives: readonly string[], windows: readonly number[]): string {
  const mounts = drives.flatMap((drive, at) =>
    mountOptions.map((options, kind) => `look ${drive} ${options} /out/${at}/${kind}`),
  );
  return `look() {
  mkdir -p $3
  mount -t iso9660 -o $2 $1 /mnt 2>$3/failed || return
  cd /mnt
  {
    find . -mindepth 1 -print0 >$3/names
    find . -mindepth 1 -exec stat -c '%f %s %Y %u %g' {} + >$3/stats
    find . -type f ! -size +${wholeLimit}k -print0 >$3/files
    find . -type f ! -size +${wholeLimit}k -exec sha256sum {} + >$3/sums
    find . -type f -size +${wholeLimit}k | while read -r file; do
      for at in ${windows.join(' ')}; do
        echo "$file $at $(dd if="$file" bs=${windowSize} iflag=skip_bytes skip=$at count=1 2>/dev/null | sha256sum)"
      done
    done >$3/windows
  } 2>>$3/failed
  cd /
  umount /mnt
}

${mounts.join('\n')}
`;
}
