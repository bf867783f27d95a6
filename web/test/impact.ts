import type { Impact } from '@/api/types'

/** The server's answer for an action that concerns no other user. */
export const nobody: Impact = {
  white_labels: [],
  parcours: [],
  shares: { permanent: 0, temporary: 0, opened: 0, qr_printed: 0 },
  total: { white_labels: 0, parcours: 0, hidden_parcours: 0 },
}

/** Whether a request asks whom an act reaches. */
export const asksImpact = (url: string): boolean => url.includes('/api/v1/impact')
