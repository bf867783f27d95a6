/** The colours WebGL needs as values; a test holds them to `theme/tokens.css`. */
export interface LinePalette {
  planned: string
  source: string
  gap: string
  closed: string
  hole: string
  casing: string
  land: string
  primary: string
  text: string
  /** Ways that are proposed, by their number. */
  way1: string
  way2: string
  way3: string
}

export const palettes: Record<'light' | 'dark', LinePalette> = {
  light: {
    planned: '#2438c9',
    source: '#7a1fa2',
    gap: '#c2410c',
    closed: '#1b1b1f',
    hole: '#5f6b64',
    casing: '#ffffff',
    land: '#f3f1ea',
    primary: '#0b5f50',
    text: '#17211c',
    way1: '#2438c9',
    way2: '#a3195b',
    way3: '#6a4300',
  },
  dark: {
    planned: '#7c92ff',
    source: '#f0bdf5',
    gap: '#ff9a5c',
    closed: '#f4f5f4',
    hole: '#aeb9b2',
    casing: '#0c110f',
    land: '#1c2320',
    primary: '#5cc7b0',
    text: '#eaf0ec',
    way1: '#7c92ff',
    way2: '#ff8fc0',
    way3: '#f2c14e',
  },
}
