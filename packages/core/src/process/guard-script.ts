/**
 * The program that the guard runs under `/bin/sh`. `$1` is the marker that every process of this instance carries.
 *
 * It reads `+PGID` and `-PGID` lines. Its input ends when mcpmux has ended, for any reason. If no group is registered
 * then, the program exits. Otherwise it ends every registered group and, if /proc exists, every process that carries
 * the marker and has left its group.
 *
 * `kill -s NAME -- -PGID` is the form that dash accepts too.
 */
export const GUARD_SCRIPT = `
trap '' HUP INT TERM
groups=' '
while IFS= read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
end() { for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done; }
end TERM
sleep 0.3
end KILL
for file in $(grep -ls "MCPMUX_CHILD=$1:" /proc/[0-9]*/environ 2>/dev/null); do
  pid=\${file#/proc/}
  kill -s KILL "\${pid%/environ}" 2>/dev/null
done
`;
