/* `src/api/schema.d.ts` from `openapi.json`: `npm run gen`. */
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import ts from 'typescript'
import { bodies, leftOut, objects, shapes, unknownToOlder, words } from './refinements.mjs'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const schemas = document.components.schemas
const stale = []
const PREFIX = '#/components/schemas/'

const typesOf = (schema) => [schema.type ?? []].flat()
const isBare = (schema) =>
  typesOf(schema).includes('object') && schema.properties === undefined && schema.additionalProperties === undefined
const isBareOrListOf = (schema) => isBare(schema) || (typesOf(schema).includes('array') && isBare(schema.items ?? {}))
/** Calls `visit` with every schema inside a value, the value itself too. */
function everySchema(value, visit) {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value)
  // The keys under `properties` are names of fields, one of which may be `properties` too.
  for (const [key, inner] of Object.entries(value))
    (key === 'properties' ? Object.values(inner) : [inner]).forEach((one) => everySchema(one, visit))
}
/** The objects that a schema is made of, without what it refers to. */
function objectsOf(schema, found = []) {
  everySchema(schema, (one) => one.properties !== undefined && found.push(one))
  return found
}
function fieldOf(name, field) {
  const holder = objectsOf(schemas[name] ?? {}).find(({ properties }) => field in properties)
  return holder && { holder, schema: holder.properties[field] }
}
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method} ${path}`, operation })),
  )
/** The value itself, or what its `$ref` refers to. */
const meant = (value) =>
  value.$ref === undefined
    ? value
    : value.$ref
        .slice(2)
        .split('/')
        .reduce((inside, key) => inside[key], document)
const answersOf = (operation) =>
  Object.values(operation.responses ?? {}).flatMap((response) => Object.values(meant(response).content ?? {}))
const bodiesOf = (operation) => Object.entries(meant(operation.requestBody ?? {}).content ?? {}).map(([type, media]) => ({ type, media }))

/** The names of the schemas that some values lead to. */
function reached(values) {
  const names = new Set()
  const follow = (value) =>
    everySchema(value, ({ $ref }) => {
      const name = typeof $ref === 'string' ? $ref.replace(PREFIX, '') : ''
      if (!(name in schemas) || names.has(name)) return
      names.add(name)
      follow(schemas[name])
    })
  values.forEach(follow)
  return names
}

// 1. Bare objects and texts of a few words.
for (const [name, shape] of Object.entries(shapes)) {
  if (name in schemas) stale.push(`shapes.${name}`)
  else schemas[name] = shape
}
for (const [where, shape] of Object.entries(objects)) {
  const [name, field] = where.split('.')
  const found = fieldOf(name, field)
  if (found !== undefined && isBareOrListOf(found.schema))
    found.holder.properties[field] = { ...shape, description: found.schema.description }
  else stale.push(`objects['${where}']`)
}
for (const [where, values] of Object.entries(words)) {
  const [name, field] = where.split('.')
  const schema = field === undefined ? schemas[name] : fieldOf(name, field)?.schema
  const target = schema !== undefined && typesOf(schema).includes('array') ? schema.items : schema
  const known = target?.$ref === undefined ? target?.enum : schemas[target.$ref.replace(PREFIX, '')]?.enum
  if (target === undefined || (known !== undefined && known.length <= values.length)) stale.push(`words['${where}']`)
  else {
    if (target.$ref !== undefined) target.type = 'string'
    delete target.$ref
    target.enum = typesOf(target).includes('null') ? [...values, null] : values
  }
}

// 2. Fields of an answer are required, except those listed as left out. In a body, fields with a default are optional.
const inAnswers = reached(operations().flatMap(({ operation }) => answersOf(operation)))
const missingIn = (name) => [...(leftOut[name] ?? []), ...(unknownToOlder[name] ?? [])]
for (const [list, fieldsOf] of Object.entries({ leftOut, unknownToOlder })) {
  for (const [name, fields] of Object.entries(fieldsOf))
    for (const field of fields) if (!inAnswers.has(name) || fieldOf(name, field) === undefined) stale.push(`${list}.${name} '${field}'`)
}
for (const [name, schema] of Object.entries(schemas)) {
  if (name in shapes) continue
  const missing = missingIn(name)
  for (const object of objectsOf(schema)) {
    for (const [field, value] of Object.entries(object.properties)) {
      const absent = missing.includes(field)
      if (absent || !inAnswers.has(name)) delete value.default
      if (absent && leftOut[name]?.includes(field)) object.properties[field] = withoutNull(value)
    }
    if (inAnswers.has(name)) object.required = Object.keys(object.properties).filter((field) => !missing.includes(field))
  }
}
function withoutNull(schema) {
  if (Array.isArray(schema.type)) return { ...schema, type: schema.type.find((one) => one !== 'null') }
  const others = schema.oneOf?.filter((one) => one.type !== 'null')
  return others?.length === 1 ? others[0] : schema
}
for (const { call, operation } of operations()) {
  for (const { type, media } of bodiesOf(operation)) {
    const name = bodies[call] ?? media.schema?.$ref?.replace(PREFIX, '')
    if (name !== undefined && (call in bodies || inAnswers.has(name))) media.schema = { type: 'object', 'x-some-of': name }
    if (type === 'application/octet-stream' || type === 'text/csv') media.schema = { type: 'string', format: 'binary' }
  }
}
for (const [call, name] of Object.entries(bodies)) {
  const told = bodiesOf(operations().find((one) => one.call === call)?.operation ?? {})
  if (told.every(({ media }) => media.schema['x-some-of'] !== name)) stale.push(`bodies['${call}']`)
}

// 3. A field that a part says again, after the schema it refers to, is meant as the part says it.
for (const schema of Object.values(schemas)) {
  const again = schema.allOf?.flatMap(({ properties = {} }) => Object.keys(properties)) ?? []
  schema.allOf?.forEach(({ $ref }, at) => {
    const fields = $ref === undefined ? [] : again.filter((field) => field in (meant({ $ref }).properties ?? {}))
    if (fields.length > 0) schema.allOf[at] = { type: 'object', 'x-without': { name: $ref.replace(PREFIX, ''), fields } }
  })
}

if (stale.length > 0) {
  console.error(
    `openapi.json says these itself now, or has them no more; take them out of web/scripts/refinements.mjs:\n  ${stale.join('\n  ')}`,
  )
  process.exit(1)
}

const reference = (name) =>
  ts.factory.createIndexedAccessTypeNode(
    ts.factory.createIndexedAccessTypeNode(ts.factory.createTypeReferenceNode('components'), literal('schemas')),
    literal(name),
  )
const literal = (value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))
const types = await openapiTS(document, {
  emptyObjectsUnknown: true,
  silent: true,
  transform(schema) {
    if (schema.format === 'binary') return ts.factory.createTypeReferenceNode('Blob')
    if (schema['x-without'] !== undefined)
      return ts.factory.createTypeReferenceNode('Omit', [
        reference(schema['x-without'].name),
        ts.factory.createUnionTypeNode(schema['x-without'].fields.map(literal)),
      ])
    if (schema['x-some-of'] !== undefined) return ts.factory.createTypeReferenceNode('Partial', [reference(schema['x-some-of'])])
    return undefined
  },
})
writeFileSync(new URL('../src/api/schema.d.ts', import.meta.url), COMMENT_HEADER + astToString(types))
