// Decodes exported manifests by the types of Kubernetes and of k6-operator itself: a field that they do not have, or
// has another form there, is an error. `go run -C tools/k6-operator . FILE...`
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/grafana/k6-operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	failed := false
	for _, path := range os.Args[1:] {
		if err := check(path); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			failed = true
		}
	}
	if failed || len(os.Args) < 2 {
		os.Exit(1)
	}
}

func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var config corev1.ConfigMap
	var run v1alpha1.TestRun
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != 2 {
		return fmt.Errorf("has %d documents; a ConfigMap and a TestRun are right", len(documents))
	}
	if err := yaml.UnmarshalStrict(documents[0], &config); err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(documents[1], &run); err != nil {
		return err
	}
	if _, err := run.Spec.Validate(); err != nil {
		return err
	}
	script, err := run.Spec.ParseScript()
	if err != nil {
		return err
	}
	if _, found := config.Data[script.Filename]; !found || script.Name != config.Name {
		return fmt.Errorf("the script %s is not in the ConfigMap %s", script.Filename, config.Name)
	}
	return nil
}
