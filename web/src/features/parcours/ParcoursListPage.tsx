export function Page() {
  return <h1>Parcours</h1>
}
