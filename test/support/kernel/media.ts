/** What is looked at on a medium: an archive on a drive, and a content in it. */
export interface Served {
  readonly drive: string;
  readonly repository: string;
  readonly digest: string;
}

/**
 * What the virtual machine does with solpack, a script for busybox. Each command leaves its code, stdout and stderr in
 * /out, each state of the mounts a file `mounts-*`, and each answer of `serve` its code and its SHA-256.
 */
export function mediaScript(image: string, [folder, device]: readonly [Served, Served]): string {
  return `export PATH=/usr/bin:/bin HOME=/tmp
ifconfig lo 127.0.0.1
mkdir -p /mnt/file /mnt/drive

keep() {
  name=$1
  shift
  "$@" >/out/$name.stdout 2>/out/$name.stderr
  echo $? >/out/$name.code
}
solpack() { node --no-warnings /solpack/bin/bin.js "$@"; }

ask() {
  echo 3 >/proc/sys/vm/drop_caches
  wget -q -O /tmp/content http://127.0.0.1:5000/v2/$2/blobs/$3 2>/out/$1.stderr
  echo $? >/out/$1.code
  touch /tmp/content
  sha256sum </tmp/content >/out/$1.sum
  rm /tmp/content
}
ask_all() {
  ask $1-folder ${folder.repository} ${folder.digest}
  ask $1-device ${device.repository} ${device.digest}
}

keep mount-file solpack mount ${image} /mnt/file --json
grep iso9660 /proc/mounts >/out/mounts-file
sha256sum /mnt/file/blobs/sha256/${folder.digest.slice('sha256:'.length)} >/out/read.sum
keep installer ls -l /mnt/file/bin/linux-amd64/solpack
/mnt/file/bin/linux-amd64/solpack
echo $? >/out/installer.code
(cd /mnt/file && grep ' bin/linux-amd64/' .solpack/SHA256SUMS | sha256sum -c >/out/installer.sums)
touch /mnt/file/new 2>/out/write.stderr
keep unmount-file solpack unmount /mnt/file --json
grep iso9660 /proc/mounts >/out/mounts-none
cat /sys/block/loop*/loop/backing_file >/out/loops-none 2>/dev/null

keep mount-drive solpack mount ${folder.drive} /mnt/drive --json
keep mount-again solpack mount ${folder.drive} /mnt/drive --json
grep iso9660 /proc/mounts >/out/mounts-drive
keep verify-folder solpack verify /mnt/drive
keep verify-device solpack verify ${folder.drive}
keep inspect-folder solpack inspect /mnt/drive --json
keep inspect-device solpack inspect ${folder.drive} --json

ln -s ${device.drive} /dev/medium
node --no-warnings /solpack/bin/bin.js serve /mnt/drive /dev/medium --listen 127.0.0.1:5000 >/out/serve.stdout 2>/out/serve.stderr &
serving=$!
for second in $(seq 60); do
  wget -q -O /dev/null http://127.0.0.1:5000/readyz && break
  kill -0 $serving || break
  sleep 1
done 2>/dev/null
ask_all before

for drive in ${folder.drive} ${device.drive}; do
  echo 1 >$(readlink -f /sys/block/\${drive#/dev/}/device/..)/remove
done
ls /dev/vd* >/out/drives-pulled
ask_all pulled
sleep 2
ask_all still

umount -l /mnt/drive
echo 1 >/sys/bus/pci/rescan
sleep 1
ls /dev/vd* >/out/drives-back
set -- $(ls /dev/vd* | grep -v /dev/vda)
keep mount-back solpack mount $1 /mnt/drive --json
ln -sf $2 /dev/medium
for second in 1 2 3 4 5 6 7 8 9 10 11 12; do
  ask_all back
  [ "$(cat /out/back-folder.code /out/back-device.code | sort -u)" = 0 ] && break
  sleep 1
done
kill $serving
wait $serving
echo $? >/out/serve.code
keep unmount-drive solpack unmount /mnt/drive --json
grep iso9660 /proc/mounts >/out/mounts-end
`;
}
