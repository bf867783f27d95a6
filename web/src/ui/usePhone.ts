import { useMediaQuery } from '@mantine/hooks'

/** The widths at which pages have their layout for phones, as in the style sheets. */
const phoneWidths = '(max-width: 759.98px)'

/** Whether the window is as narrow as a phone. */
export const isPhone = (): boolean => window.matchMedia(phoneWidths).matches

/** `isPhone` as a hook: renders again when the width crosses the limit. */
export const usePhone = (): boolean => useMediaQuery(phoneWidths, false, { getInitialValueInEffect: false })

/** Whether the main pointer cannot hover (a touch screen), as in the style sheets. */
export const useTouch = (): boolean => useMediaQuery('(hover: none)', false, { getInitialValueInEffect: false })
