// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { me } from '../../test/form-host'
import { makeQueryClient } from '@/api/query-client'
import { meKey } from '@/api/signed-in-user'
import { providers } from '@/features/providers/providers'
import * as newImport from '@/features/imports/NewImportPage'
import * as newSource from '@/features/sit/NewSourcePage'
import type { PageModule } from './page'

it.each<[string, () => PageModule | Promise<PageModule>]>([
  ['an import', () => newImport],
  ['a SIT source', () => newSource],
  ['a provider link', () => providers.create()],
])('refuses the page of %s to a role that may not make one', async (_, read) => {
  const queryClient = makeQueryClient()
  queryClient.setQueryData(meKey, { ...me, capabilities: ['content.read'] })
  const { load } = await read()
  await expect(load?.({ queryClient, params: {}, search: {} })).rejects.toMatchObject({ status: 403, code: 'auth/forbidden' })
})
