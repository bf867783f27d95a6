"""The files for operators against the schemas of the programs that read them: Kubernetes (kubernetes-validate) and Compose (compose-spec)."""

import re
import sys
from pathlib import Path

import compose_spec
import kubernetes_validate
import yaml

DEPLOY = Path(__file__).parent.parent / "deploy"
wrong = []

compose_file = DEPLOY / "compose" / "compose.yaml"
text = compose_file.read_text()
given = set(re.findall(r"^([A-Z_0-9]+)=", (compose_file.parent / "env.example").read_text(), re.M))
used = set(re.findall(r"\$\{([A-Z_0-9]+)", text))
if given != used:
    wrong.append(f"compose.yaml and env.example differ: {sorted(given ^ used)}")
# A variable of .env is a text; aliases are put in their places, as Compose does it before it checks.
merged = yaml.safe_load(re.sub(r"\$\{([A-Z_0-9]+)[^}]*\}", r"\1", text))
try:
    compose = compose_spec.PyCompose.from_yaml(yaml.safe_dump(merged))
except Exception as error:
    wrong.append(f"{compose_file.name}: {error}")
else:
    print(f"compose.yaml: {', '.join(sorted(compose.service_names()))}")
for volume in sorted({v.split(":")[0] for s in merged["services"].values() for v in s.get("volumes", [])}):
    if volume.startswith("./"):
        # The folder of the extract is the operator's.
        if volume != "./osm" and not (compose_file.parent / volume).is_file():
            wrong.append(f"compose.yaml: {volume} is not there")
    elif volume not in merged["volumes"]:
        wrong.append(f"compose.yaml: the volume {volume} is not declared")
for name, service in merged["services"].items():
    for other in service.get("depends_on", []):
        if other not in merged["services"]:
            wrong.append(f"compose.yaml: {name} waits for {other}, which is not one of its services")

documents = []
for file in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
    for document in yaml.safe_load_all(file.read_text()):
        documents.append(document)
        try:
            version = kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
        except Exception as error:
            wrong.append(f"{file.name}: {document.get('kind')}: {getattr(error, 'message', error)}")
        else:
            print(f"{file.name}: {document['kind']} {document['metadata']['name']}, Kubernetes {version}")

# What the schemas do not say: names that belong together.
names = {(d["kind"], d["metadata"]["name"]) for d in documents}
labels = [d["spec"]["template"]["metadata"]["labels"] for d in documents if d["kind"] == "Deployment"]
for document in documents:
    text = yaml.safe_dump(document)
    for kind, pattern in [("ConfigMap", r"configMapRef:\s+name: (\S+)"), ("Secret", r"secretRef:\s+name: (\S+)"), ("PersistentVolumeClaim", r"claimName: (\S+)")]:
        for name in re.findall(pattern, text):
            # The volume with the extract is the operator's.
            if (kind, name) not in names and name != "jalon-osm":
                wrong.append(f"{document['kind']} {document['metadata']['name']} uses {kind} {name}, which is in no file")
    if document["kind"] in ("Service", "PodDisruptionBudget"):
        selector = document["spec"]["selector"]
        selector = selector.get("matchLabels", selector)
        if not any(selector.items() <= of.items() for of in labels):
            wrong.append(f"{document['kind']} {document['metadata']['name']} selects no pod")

if wrong:
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(1)
