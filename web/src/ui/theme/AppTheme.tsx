import { createTheme, localStorageColorSchemeManager, MantineProvider, type CSSVariablesResolver } from '@mantine/core'
import type { ReactNode } from 'react'
import { schemeKey } from './scheme'
import './styles'

/** `primaryShade` 6 is the sapin of the tokens: white on it reads at 7.6 to 1. */
const sapin = ['#E3F1ED', '#C5E3DB', '#9BCDC0', '#6DB5A4', '#429C88', '#1F7F6C', '#0B5F50', '#084C40', '#063B32', '#042A24'] as const

const theme = createTheme({
  primaryColor: 'sapin',
  colors: { sapin },
  primaryShade: { light: 6, dark: 3 },
  defaultRadius: 6,
  autoContrast: true,
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  headings: { fontFamily: 'var(--font-title)', fontWeight: '600' },
  cursorType: 'pointer',
  // A menu's first item takes the focus: the placeholder before it is no child a menu may have.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
})

/** Mantine's own variables, each pointed at a token: no component names a colour. */
const fromTokens: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--canvas)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-anchor': 'var(--primary)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--canvas)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--border-strong)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--text-3)',
    '--mantine-color-disabled-border': 'var(--border)',
    '--mantine-primary-color-filled': 'var(--primary)',
    '--mantine-primary-color-filled-hover': 'var(--primary-hover)',
    '--mantine-primary-color-contrast': 'var(--on-primary)',
    '--mantine-primary-color-light': 'var(--primary-soft)',
    '--mantine-primary-color-light-color': 'var(--primary)',
    '--mantine-color-sapin-filled': 'var(--primary)',
    '--mantine-color-sapin-filled-hover': 'var(--primary-hover)',
    '--mantine-font-size-sm': '14px',
    '--mantine-line-height': '1.43',
  },
  light: {},
  dark: {},
})

const colorScheme = localStorageColorSchemeManager({ key: schemeKey })

/** Colours, type and components for everything below it. Dark follows the system until the user chooses. */
export function AppTheme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={fromTokens} colorSchemeManager={colorScheme} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
