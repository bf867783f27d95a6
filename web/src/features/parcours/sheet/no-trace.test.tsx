import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { payload, setPayload } from '@/api/payload'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { me, renderPage } from '../../../../test/form-host'
import { aParcours } from '../../../../test/parcours'
import { inSheet } from '../../../../test/sheet'
import { NoTrace } from './itinerary/NoTrace'

const upload = vi.hoisted(() => vi.fn<(id: number, version: number, file: File, join: string | null) => Promise<object>>())
const line = vi.hoisted(() => ({
  points: [
    [4, 47],
    [4.01, 47],
  ],
}))
vi.mock('./queries', async (original) => ({
  ...(await original<object>()),
  inspectTrace: () => Promise.resolve({ line: line.points }),
  uploadTrace: upload,
}))

const Page = inSheet(aParcours({ id: 31, version: 4 }), NoTrace)

beforeEach(async () => {
  upload.mockReset().mockResolvedValue({})
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'trace')
})

async function drop(): Promise<void> {
  const { cache } = await renderPage(Page)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['content.write', 'content.import'] }))
  setPayload({ ...payload(), map: { ...payload().map, bbox: [3, 46, 5, 48] } })
  await userEvent.upload(screen.getByLabelText('Importer un tracé', { selector: 'input' }), new File(['<gpx/>'], 'lavoir.gpx'))
}

it('says that a file is outside the region before it is imported, and imports it when asked', async () => {
  line.points = [
    [6, 47],
    [6.01, 47],
  ]
  await drop()
  expect(await screen.findByText(/Hors de votre région/)).not.toBeNull()
  expect(upload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
  await waitFor(() => expect(upload).toHaveBeenCalledWith(31, 4, expect.any(File), null))
})

it('brings a file of the region in at once', async () => {
  line.points = [
    [4, 47],
    [4.01, 47],
  ]
  await drop()
  await waitFor(() => expect(upload).toHaveBeenCalledWith(31, 4, expect.any(File), null))
})
