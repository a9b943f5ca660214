// Prints what the operator framework's own converter makes of a registry+v1 bundle.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/operator-framework/operator-controller/internal/operator-controller/config"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/bundle/source"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/certproviders"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/registryv1"
)

func main() {
	namespace := flag.String("namespace", "", "the install namespace")
	watch := flag.String("watch", "-", "the namespaces to watch, with commas between; - leaves the choice to the converter")
	certManager := flag.Bool("cert-manager", false, "let cert-manager provide certificates")
	settings := flag.String("deployment-config", "", "what a site sets for Deployments, as JSON")
	types := flag.Bool("types", false, "print the objects of a JSON list on stdin as the types of Go have them")
	flag.Parse()
	var err error
	if *types {
		err = typed(os.Stdin)
	} else {
		err = convert(flag.Arg(0), *namespace, *watch, *settings, *certManager)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func convert(folder, namespace, watch, settings string, certManager bool) error {
	bundle, err := source.FromFS(os.DirFS(folder)).GetBundle()
	if err != nil {
		return err
	}
	options := []render.Option{}
	if watch != "-" {
		options = append(options, render.WithTargetNamespaces(strings.Split(watch, ",")...))
	}
	if certManager {
		options = append(options, render.WithCertificateProvider(certproviders.CertManagerCertificateProvider{}))
	}
	if settings != "" {
		var deployments config.DeploymentConfig
		if err := json.Unmarshal([]byte(settings), &deployments); err != nil {
			return err
		}
		options = append(options, render.WithDeploymentConfig(&deployments))
	}
	objects, err := registryv1.Renderer.Render(bundle, namespace, options...)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(objects)
}

// Where a type of Go knows a kind, that decides what is left of its fields, and how quantities are written.
func typed(in io.Reader) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme,
		admissionv1.AddToScheme, apiextensionsv1.AddToScheme, certmanagerv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	var contents []json.RawMessage
	if err := json.NewDecoder(in).Decode(&contents); err != nil {
		return err
	}
	objects := make([]any, 0, len(contents))
	for _, content := range contents {
		var meta metav1.TypeMeta
		if err := json.Unmarshal(content, &meta); err != nil {
			return err
		}
		if !scheme.Recognizes(meta.GroupVersionKind()) {
			objects = append(objects, content)
			continue
		}
		object, err := scheme.New(meta.GroupVersionKind())
		if err != nil {
			return err
		}
		if err := json.Unmarshal(content, object); err != nil {
			return fmt.Errorf("%s: %w", meta.Kind, err)
		}
		objects = append(objects, object)
	}
	return json.NewEncoder(os.Stdout).Encode(objects)
}
