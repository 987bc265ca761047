/** The help text that says where to put the printed scripts. */
export const COMPLETION_HELP = `
To load the script in every new shell:
  bash        echo 'eval "$(mcpmux completion bash)"' >> ~/.bashrc
  zsh         mcpmux completion zsh > "\${fpath[1]}/_mcpmux"
  fish        mcpmux completion fish > ~/.config/fish/completions/mcpmux.fish
  powershell  add to $PROFILE: mcpmux completion powershell | Out-String | Invoke-Expression
`;

/** Replacements for functions of bash-completion and bash 4, for machines without them. */
export const BASH_FALLBACKS = `# in place of bash-completion, where it is not installed
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
_get_comp_words_by_ref() {
    local line=\${COMP_LINE:0:\${COMP_POINT}}
    read -ra words <<< "$line"
    if [[ "$line" == *[[:space:]] ]]; then words+=(""); fi
    cword=$((\${#words[@]} - 1))
    cur=\${words[cword]}
    prev=\${words[cword-1]}
}
fi
if ! type compopt >/dev/null 2>&1; then compopt() { :; }; fi

`;
