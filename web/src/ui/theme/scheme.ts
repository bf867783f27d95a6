/** The key in `localStorage` of the choice of light or dark; Mantine reads and writes the same one. */
export const schemeKey = 'jalon.theme'

/** Sets light or dark before the first rendering: the user's choice, else the system's, which it then follows. */
export function applyScheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const chosen = localStorage.getItem(schemeKey)
    const scheme = chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light'
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  }
  apply()
  dark.addEventListener('change', apply)
}
