import type { shells } from './shells.ts';

const bash = `# Completion of solpack for bash: source <(solpack completion bash)
_solpack() {
    local program=$1 how= line
    [[ $program == '~/'* ]] && program=$HOME/\${program:2}
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $how ]]; then how=$line; else COMPREPLY+=("$line"); fi
    done < <("$program" __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" </dev/null 2>/dev/null)
    case $how in
        files) ;;
        folders) compopt -o dirnames +o default ;;
        *) compopt +o default ;;
    esac
    if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[/=] ]]; then compopt -o nospace; fi
}
complete -o default -F _solpack solpack
`;

const zsh = `#compdef solpack
# Completion of solpack for zsh: source <(solpack completion zsh), or as the file _solpack in a folder of fpath
_solpack() {
  local program=\${(Q)words[1]} how line word about prefix
  local -a lines open openabouts done doneabouts
  [[ $program == '~/'* ]] && program=$HOME/\${program:2}
  lines=("\${(@f)$("$program" __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" </dev/null 2>/dev/null)}")
  how=\${lines[1]%%$'\\t'*}
  prefix=\${lines[1]#*$'\\t'}
  shift lines
  [[ -n $prefix ]] && compset -P "\${(b)prefix}"
  for line in $lines; do
    word=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    [[ -n $about ]] && about="\${(r:22:)word}  $about" || about=$word
    if [[ $word == *[/=] ]]; then open+=("$word"); openabouts+=("$about"); else done+=("$word"); doneabouts+=("$about"); fi
  done
  local ret=1
  if (( \${#open} )); then compadd -S '' -l -d openabouts -a open && ret=0; fi
  if (( \${#done} )); then compadd -l -d doneabouts -a done && ret=0; fi
  case $how in
    files) _files && ret=0 ;;
    folders) _files -/ && ret=0 ;;
  esac
  return ret
}
if [[ $funcstack[1] == _solpack ]]; then _solpack "$@"; else compdef _solpack solpack; fi
`;

const fish = `# Completion of solpack for fish: solpack completion fish | source
function __solpack_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l word (string unescape -- $typed)
    test (count $word) -eq 1; or set word "$typed"
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l lines (command $program __complete fish $words[2..] "$word" </dev/null 2>/dev/null)
    test (count $lines) -gt 0; or return
    set -l how (string split -m 1 \\t -- $lines[1])
    set -l rest (string sub -s (math (string length -- "$how[2]") + 1) -- "$word")
    switch $how[1]
        case files
            for path in (__fish_complete_path "$rest")
                printf '%s\\n' "$how[2]$path"
            end
        case folders
            for path in (__fish_complete_directories "$rest" '')
                printf '%s\\n' "$how[2]$path"
            end
    end
    test (count $lines) -gt 1; and printf '%s\\n' $lines[2..]
end
complete -c solpack -f -a '(__solpack_complete)'
`;

/**
 * The script by which each shell completes command lines of solpack. It only asks solpack, and so is never out of step
 * with it.
 */
export const completionScripts: Readonly<Record<keyof typeof shells, string>> = { bash, zsh, fish };
