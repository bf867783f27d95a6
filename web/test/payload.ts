import type { Payload } from '@/api/types'

const taken = { formats: [], max_bytes: 100 }

/** What the server says of itself, for a test. */
export const aPayload = (own: Partial<Payload> = {}): Payload => ({
  product: 'Jalon',
  version: '0.1.0',
  build_id: 'test',
  api_base: '',
  contact: '',
  locales: ['fr', 'en'],
  default_locale: 'fr',
  content_languages: ['fr', 'en'],
  environment: 'none',
  preproduction_url: null,
  issue_tracker_url: '',
  map: { style_light: '', style_dark: '', styles: [], bbox: [0, 0, 1, 1], center: [0, 0], attribution: '', data_date: null },
  limits: {
    body_bytes: 65_536,
    media: {
      image: { ...taken, min_width: 1200, min_height: 800, max_pixels: 1 },
      logo: taken,
      video: { ...taken, advice_bytes_per_s: 1 },
      audio: { ...taken, advice_bytes_per_min: 1 },
      pdf: taken,
      font: taken,
    },
    password_max: 200,
    password_min: 12,
    per_page: 200,
    trace_bytes: 20_971_520,
    trace_points: 200_000,
  },
  profiles: ['touring', 'road', 'mtb', 'hiking'],
  reliability_threshold: 95,
  ...own,
})
