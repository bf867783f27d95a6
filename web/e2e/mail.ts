import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { demoData } from './servers'

/** The decoded text of a mail, from quoted-printable or base64. */
function words(mail: string): string {
  const [head = '', ...rest] = mail.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The mails that the demo's server wrote to an address, the oldest first. */
export function mailsTo(email: string): string[] {
  const outbox = join(demoData(), 'outbox')
  // The server makes the folder with its first mail.
  if (!existsSync(outbox)) return []
  const mails = readdirSync(outbox)
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
  return mails.filter((mail) => mail.split('\r\n\r\n')[0]?.includes(email)).map(words)
}

/** The path of the link with a token in a mail. */
export function linkIn(mail: string | undefined): string {
  const link = /https?:\/\/\S+\?token=\w+/.exec(mail ?? '')?.[0]
  expect(link, mail).toBeDefined()
  const { pathname, search } = new URL(link ?? '')
  return pathname + search
}
