/** Where the choice of light or dark is kept; the component library reads and writes the same. */
export const schemeKey = 'jalon.theme'

/** Put the chosen look on the page (the system's without a choice) before anything is drawn, and follow the system. */
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
