import { useComputedColorScheme } from '@mantine/core'
import { palettes, type LinePalette } from './palette'

/** The colours of lines in the theme shown. */
export const usePalette = (): LinePalette => palettes[useComputedColorScheme('light')]
