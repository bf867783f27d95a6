import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ComponentType } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { lazyDialog } from './lazy-dialog'

interface Props {
  opened?: boolean
  onClose: () => void
}
function Fetched({ opened = true, onClose }: Props) {
  return opened ? (
    <div role="dialog">
      <button type="button" onClick={onClose}>
        Fermer la fenêtre
      </button>
    </div>
  ) : null
}
type Read = () => Promise<{ default: ComponentType<Props> }>

beforeAll(() => startTexts('fr', ['common']))

it.each([
  ['rendered while it is open', false],
  ['always rendered', true],
])('says that it could not be fetched, counts as closed, and is fetched again at the next press: %s', async (_, always) => {
  const read = vi.fn<Read>().mockRejectedValueOnce(new TypeError('no network')).mockResolvedValue({ default: Fetched })
  const Dialog = lazyDialog(read)
  function Page() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
          Ouvrir
        </button>
        {(always || open) && <Dialog opened={open} onClose={() => setOpen(false)} />}
        <Toaster />
      </>
    )
  }
  const { unmount } = render(<Page />)
  const button = screen.getByRole('button', { name: 'Ouvrir' })
  await userEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toContain('L’ouverture a échoué')
  await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'))
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(button)
  expect(await screen.findByRole('dialog')).toBeTruthy()
  expect(read).toHaveBeenCalledTimes(2)
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Fermer la fenêtre' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  unmount()
})
