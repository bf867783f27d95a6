import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { Field } from './Field'
import { FileInput } from './FileInput'

function Host() {
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <Field label="Fichier" error={file?.name === 'lac.txt' ? 'Un fichier GPX.' : undefined}>
        {(wiring) => <FileInput {...wiring} value={file} onChange={setFile} accept=".gpx,.txt" />}
      </Field>
      <button type="button" onClick={() => setFile(null)}>
        Vider
      </button>
    </>
  )
}

const input = () => screen.getByLabelText<HTMLInputElement>('Fichier')

beforeEach(() => startTexts('fr', ['common']))

it('shows the name of the chosen file in place of the words of the page, and is emptied with its value', async () => {
  render(<Host />)
  expect(screen.getByText('Choisir un fichier')).toBeTruthy()
  expect(screen.getByText('Aucun fichier choisi')).toBeTruthy()
  await userEvent.upload(input(), new File(['x'], 'tour.gpx'))
  expect(screen.getByText('tour.gpx')).toBeTruthy()
  expect(screen.queryByText('Aucun fichier choisi')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Vider' }))
  expect(screen.getByText('Aucun fichier choisi')).toBeTruthy()
  expect(input().value).toBe('')
})

it('is emptied when it is pressed, so that the same file can be chosen again once it is corrected', async () => {
  render(<Host />)
  await userEvent.upload(input(), new File(['x'], 'tour.gpx'))
  expect(input().value).not.toBe('')
  await userEvent.click(input())
  expect(input().value).toBe('')
  expect(screen.getByText('tour.gpx')).toBeTruthy()
})

it('speaks the language of the page, without the tooltip of the browser', async () => {
  await startTexts('en', ['common'])
  render(<Host />)
  expect(input().getAttribute('title')).toBe('')
  expect(screen.getByText('Choose a file')).toBeTruthy()
  expect(screen.getByText('No file chosen')).toBeTruthy()
})

it('is reached by keyboard, under its label and with its fault', async () => {
  render(<Host />)
  await userEvent.tab()
  expect(document.activeElement).toBe(input())
  await userEvent.upload(input(), new File(['x'], 'lac.txt'))
  expect(input().getAttribute('aria-invalid')).toBe('true')
  const described = input().getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('Un fichier GPX.')
})
