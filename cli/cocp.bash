# bash completion for cocp; options come from `cocp COMMAND --help`, so that there is one list of them
_cocp()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cocp=${COMP_WORDS[0]}
    local commands="solve simulate track verify impact certify bound sweep check show summary export init import explain schema report"
    local command="" word files

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ " $commands " == *" $word "* ]] && { command=$word; break; }
    done
    COMPREPLY=()

    case $prev in
        --method)
            mapfile -t COMPREPLY < <(compgen -W "event fesd fesd-j time-freezing time-stepping moreau stewart-trinkle" -- "$cur")
            return ;;
        --levels)
            mapfile -t COMPREPLY < <(compgen -W "p e m p,e p,e,m" -- "$cur")
            return ;;
        --impacts)
            mapfile -t COMPREPLY < <(compgen -W "set" -- "$cur")
            return ;;
        --sampling)
            mapfile -t COMPREPLY < <(compgen -W "sobol random" -- "$cur")
            return ;;
        --base)
            mapfile -t COMPREPLY < <(compgen -W "floating fixed planar" -- "$cur")
            return ;;
        --joints)
            mapfile -t COMPREPLY < <(compgen -W "csv ros mujoco" -- "$cur")
            return ;;
        --group)
            mapfile -t COMPREPLY < <(compgen -W "uniform trajectory grid events homotopy residuals samples outcomes \
                contacts hull paths comparison comparison_paths bundle plans verification certificate bound" -- "$cur")
            return ;;
        --run)
            mapfile -t COMPREPLY < <(compgen -W "solve simulate impact certify verify" -- "$cur")
            return ;;
        --set|--plant|--max-time|--max-cpu|--seed|--sweep|--samples|--perturb|--random|--jobs|--point-time|--point-cpu|--point-memory|--retries|--chunk|--tasks|--sbatch-options|--max-events|--tol)
            return ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$cocp" ${command:+"$command"} --help 2>/dev/null |
            grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,')" -- "$cur")
        return
    fi
    if [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur")
        return
    fi

    case $command in
        solve|simulate|track|impact|sweep|check) files='\.ya?ml$' ;;
        import) files='\.(urdf|xml)$' ;;
        certify|bound) files='\.(ya?ml|h5)$' ;;
        verify|show|summary|export|report) files='\.h5$' ;;
        *) return ;;
    esac
    case $prev in
        -o|--output)
            [[ $command == import ]] && files='\.ya?ml$' || files='\.h5$' ;;
        --guess|--from) files='\.h5$' ;;
        --controls)          files='\.(h5|csv)$' ;;
    esac
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur" | grep -E "$files"; compgen -d -- "$cur")
}
complete -F _cocp cocp
