import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { ensureTexts, startTexts } from '@/i18n'
import type { PlatformStatus, ServerStatus } from '@/api/types'
import { isLate, isNearlyFull } from './status'
import { Page } from './StatusPage'

const server = (change: Partial<ServerStatus>): ServerStatus => ({
  name: 'alpha:12',
  is_this: true,
  is_running: true,
  version: '0.1.0',
  started_at: '2026-11-20T08:00:00Z',
  seen_at: '2026-11-20T09:00:00Z',
  bundle: '3f2a90c1d4e5',
  data_date: '2026-11-01',
  region_state: 'up_to_date',
  region_percent: null,
  region_problem: null,
  disk_free: 40_000_000_000,
  disk_total: 100_000_000_000,
  ...change,
})
const status = (change: Partial<PlatformStatus>): PlatformStatus => ({
  is_whole: true,
  at: '2026-11-20T09:00:00Z',
  version: '0.1.0',
  database: { kind: 'postgres', schema: 70 },
  blobs: { in_bucket: true, state: 'ok' },
  servers_running: 1,
  servers: [server({})],
  region: {
    bundle: '3f2a90c1d4e5',
    data_date: '2026-11-01',
    set_at: '2026-11-19T09:00:00Z',
    bytes: 12_000_000,
    in_use_by: 1,
    refused_by: 0,
  },
  queue: { counts: { waiting: 2, running: 1, dead: 3 }, others: { waiting: 0, running: 0, dead: 0 }, oldest_waits_s: 20 },
  backup: null,
  ...change,
})

let answer = status({})

beforeEach(async () => {
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('settings', 'resource', 'status')
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })))
})

describe('the status page', () => {
  it('says of each server what it does about its region, and why it refuses one', async () => {
    answer = status({
      servers_running: 2,
      servers: [
        server({}),
        server({
          name: 'beta:7',
          is_this: false,
          is_running: false,
          region_state: 'refused',
          region_problem: 'network.jnet was cut.',
          disk_free: 1000,
        }),
      ],
      region: {
        bundle: '3f2a90c1d4e5',
        data_date: '2026-11-01',
        set_at: '2026-11-19T09:00:00Z',
        bytes: 12_000_000,
        in_use_by: 1,
        refused_by: 1,
      },
    })
    await renderPage(Page)
    const beta = (await screen.findByText('beta:7')).closest('li')
    expect(beta).not.toBeNull()
    for (const words of ['Ne répond plus', 'Refusée', 'network.jnet was cut.', 'Presque plein'])
      expect(within(beta as HTMLElement).getByText(words)).toBeTruthy()
    expect(screen.getByText('1 serveur la refuse')).toBeTruthy()
    expect(screen.getByText('Avec PostgreSQL, les copies de secours sont faites par d’autres outils.')).toBeTruthy()
  })

  it('shows an administrator no server', async () => {
    answer = status({ is_whole: false, servers: [], region: null })
    await renderPage(Page)
    expect(await screen.findByText(/Aucune région n’est publiée/)).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Serveurs' })).toBeNull()
    expect(screen.getByText(/Les super-administrateurs voient en plus/)).toBeTruthy()
  })

  it('knows a late backup and a full disk', () => {
    expect(isLate('2026-11-17T08:59:00Z', '2026-11-20T09:00:00Z')).toBe(true)
    expect(isLate('2026-11-19T09:00:00Z', '2026-11-20T09:00:00Z')).toBe(false)
    expect([
      isNearlyFull(server({ disk_free: 4_000_000_000 })),
      isNearlyFull(server({})),
      isNearlyFull(server({ disk_free: null })),
    ]).toEqual([true, false, false])
  })
})
